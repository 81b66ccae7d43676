import { Module } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { BusModule } from '@tieline/live';
import { LiveEvents } from '@tieline/live-stream';
import { DatabaseModule } from '@tieline/platform/database';
import { AnswerApplier } from '../answers/answer-applier.js';
import { ChoicesModule } from '../choices/choices.module.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { ModalTokens } from '../modals/modal-tokens.js';
import { ComponentSigningModule } from '../schema/signing/component-signing.module.js';
import { RespondLate } from './respond-late.js';
import { ResponseTokensModule } from './response-tokens.module.js';

/** Import it in libs that take late answers of bots. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    MessagesModule,
    ComponentSigningModule,
    ChoicesModule,
    ResponseTokensModule,
  ],
  providers: [AnswerApplier, InteractiveSettings, LiveEvents, ModalTokens, RespondLate],
  exports: [AnswerApplier, ModalTokens, RespondLate, ResponseTokensModule],
})
export class LateAnswersModule {}
