import { Module } from '@nestjs/common';
import { AskBotModule } from '@tieline/ask-bot';
import { DatabaseModule } from '@tieline/platform/database';
import { SigningModule } from '@tieline/signing';
import { AskApp } from './ask-app.js';

/** Import it where people act on something of a Slack app. */
@Module({
  imports: [AskBotModule, DatabaseModule, SigningModule],
  providers: [AskApp],
  exports: [AskApp],
})
export class SlackInteractionsModule {}
