import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { QueueWorkerModule } from '@tieline/queue';
import { ABANDONED_UPLOADS, AbandonedUploadsProcessor } from './abandoned-uploads.processor.js';
import { StorageModule } from './storage.module.js';

/** For workers: removes interrupted uploads, at the start and every hour. */
@Module({
  imports: [QueueWorkerModule, StorageModule, BullModule.registerQueue({ name: ABANDONED_UPLOADS })],
  providers: [AbandonedUploadsProcessor],
})
export class StorageWorkerModule {}
