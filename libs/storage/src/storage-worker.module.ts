import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { StorageModule } from './storage.module.js';
import { defineJob, Queue, QueueWorkerHost, QueueModule, QueueWorkerModule } from '@tieline/queue';
import { FileStorage } from './file-storage.js';

const REMOVE_ABANDONED_UPLOADS = defineJob('storage.remove-abandoned-uploads');
const HOUR_MS = 3_600_000;

/** In workers: removes uploads that broke off, at the start and every hour. */
@Module({ imports: [QueueModule, QueueWorkerModule, StorageModule] })
export class StorageWorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly queue: Queue,
    jobs: QueueWorkerHost,
    storage: FileStorage,
  ) {
    jobs.register(
      REMOVE_ABANDONED_UPLOADS,
      async () => {
        await storage.removeAbandonedUploads();
      },
      { everyMs: HOUR_MS },
    );
  }

  onApplicationBootstrap(): void {
    void this.queue.wake(REMOVE_ABANDONED_UPLOADS);
  }
}
