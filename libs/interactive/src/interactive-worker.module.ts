import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { OLD_INTERACTIONS, OldInteractionsProcessor } from './clean-up/old-interactions.processor.js';

/** The worker's part of interactive components: deletes what has expired. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, BullModule.registerQueue({ name: OLD_INTERACTIONS })],
  providers: [OldInteractionsProcessor],
})
export class InteractiveWorkerModule {}
