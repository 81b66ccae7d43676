import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { MessagesModule } from '../messages/messages.module.js';
import { NOTICE_POSTS, NoticePostsProcessor } from './notice-posts.processor.js';

/** For workers: posts notices to admins in the conversation that they chose. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    MessagesModule,
    BullModule.registerQueue({ name: NOTICE_POSTS }),
  ],
  providers: [NoticePostsProcessor],
})
export class NoticesWorkerModule {}
