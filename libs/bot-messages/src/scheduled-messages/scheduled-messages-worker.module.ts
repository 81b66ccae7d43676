import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { ComponentSigningModule } from '@tieline/interactive';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { PostScheduled } from './post-scheduled.js';
import { SCHEDULED_MESSAGES, ScheduledMessagesProcessor } from './scheduled-messages.processor.js';

/** Posts scheduled messages of bots. */
@Module({
  imports: [
    DatabaseModule,
    QueueModule,
    QueueWorkerModule,
    MessagesModule,
    ComponentSigningModule,
    BullModule.registerQueue({ name: SCHEDULED_MESSAGES }),
  ],
  providers: [PostScheduled, ScheduledMessagesProcessor],
})
export class BotMessagesWorkerModule {}
