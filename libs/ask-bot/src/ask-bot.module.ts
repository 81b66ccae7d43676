import { Module } from '@nestjs/common';
import { CallbackLogModule, SocketAnswersModule } from '@tieline/bots';
import { CallbacksModule } from '@tieline/egress';
import { BotAsker } from './bot-asker.js';

/** Import it in libs that ask bots. */
@Module({
  imports: [CallbacksModule, CallbackLogModule, SocketAnswersModule],
  providers: [BotAsker],
  exports: [BotAsker, SocketAnswersModule],
})
export class AskBotModule {}
