import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { SigningModule } from '@tieline/signing';
import { POLL_RESULTS, PollResultsProcessor } from './poll/poll-results.processor.js';
import { UpdatePollMessage } from './poll/update-poll-message.js';
import { PostReminder } from './remind/post-reminder.js';
import { REMINDERS, RemindersProcessor } from './remind/reminders.processor.js';

/**
 * Background work of the built-in commands: posts reminders and shows votes that a crashed process
 * left behind.
 */
@Module({
  imports: [
    DatabaseModule,
    QueueModule,
    QueueWorkerModule,
    MessagesModule,
    SigningModule,
    BullModule.registerQueue({ name: REMINDERS }, { name: POLL_RESULTS }),
  ],
  providers: [RemindersProcessor, PollResultsProcessor, PostReminder, UpdatePollMessage],
})
export class BuiltinsWorkerModule {}
