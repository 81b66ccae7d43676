import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { MessageFeedbackModule } from './feedback/feedback-of-people.js';
import { OLD_INTERACTIONS, OldInteractionsProcessor } from './clean-up/old-interactions.processor.js';

/** Background work for interactive components: deletes expired rows, and feedback with messages. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    MessageFeedbackModule,
    BullModule.registerQueue({ name: OLD_INTERACTIONS }),
  ],
  providers: [OldInteractionsProcessor],
})
export class InteractiveWorkerModule {}
