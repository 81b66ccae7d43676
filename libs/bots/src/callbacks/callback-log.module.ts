import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { CallbackLog } from './callback-log.js';

/** Provides the {@link CallbackLog}, one per process. */
@Module({ imports: [DatabaseModule], providers: [CallbackLog], exports: [CallbackLog] })
export class CallbackLogModule {}
