import { Module } from '@nestjs/common';
import { IdempotencyWorkerModule } from '../idempotency/index.js';
import { QueueWorkerModule } from '../queue/index.js';

/** What only workers run of the platform: jobs, and the clean-up of its own tables. */
@Module({ imports: [QueueWorkerModule, IdempotencyWorkerModule] })
export class WorkerPlatformModule {}
