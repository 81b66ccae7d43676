import { Module } from '@nestjs/common';
import { EgressSettings } from '../egress.settings.js';
import { CallbackClient } from './callback-client.js';

/** Provides the {@link CallbackClient}. */
@Module({ providers: [CallbackClient, EgressSettings], exports: [CallbackClient] })
export class CallbacksModule {}
