import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { OLD_IDEMPOTENCY_KEYS, OldIdempotencyKeysProcessor } from './old-idempotency-keys.processor.js';

/** Worker job: deletes idempotency keys after a day. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, BullModule.registerQueue({ name: OLD_IDEMPOTENCY_KEYS })],
  providers: [OldIdempotencyKeysProcessor],
})
export class IdempotencyWorkerModule {}
