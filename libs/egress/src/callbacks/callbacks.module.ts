import { Module } from '@nestjs/common';
import { CallbackClient } from './callback-client.js';

/** Provides the {@link CallbackClient}. */
@Module({ providers: [CallbackClient], exports: [CallbackClient] })
export class CallbacksModule {}
