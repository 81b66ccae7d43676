import { Module } from '@nestjs/common';
import { AskBotModule } from '@tieline/ask-bot';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { ResponseTokensModule } from '../responses/response-tokens.module.js';
import { AcknowledgedChoices } from './acknowledged-choices.js';
import { ChoiceAnswers } from './choice-answers.js';
import { ChoiceAsker } from './choice-asker.js';

/** Import it in libs whose forms ask bots for suggestions. */
@Module({
  imports: [DatabaseModule, BusModule, AskBotModule, ResponseTokensModule],
  providers: [AcknowledgedChoices, ChoiceAnswers, ChoiceAsker],
  exports: [ChoiceAnswers, ChoiceAsker],
})
export class ChoicesModule {}
