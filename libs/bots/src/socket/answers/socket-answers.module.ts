import { Module } from '@nestjs/common';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { AnswerWaits } from './answer-waits.js';
import { SocketAnswers } from './socket-answers.js';

/** For libs whose events are answered by acknowledgements. */
@Module({
  imports: [DatabaseModule, BusModule],
  providers: [AnswerWaits, SocketAnswers],
  exports: [AnswerWaits, SocketAnswers],
})
export class SocketAnswersModule {}
