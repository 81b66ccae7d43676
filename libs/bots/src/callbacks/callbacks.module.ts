import { Module } from '@nestjs/common';
import { CallbacksModule } from '@tieline/egress';
import { DatabaseModule } from '@tieline/platform/database';
import { BotCallbacks } from './bot-callbacks.js';
import { CallbackLog } from './callback-log.js';

/** Provides {@link BotCallbacks} with one log per process. */
@Module({
  imports: [DatabaseModule, CallbacksModule],
  providers: [BotCallbacks, CallbackLog],
  exports: [BotCallbacks, CallbackLog],
})
export class BotCallbacksModule {}
