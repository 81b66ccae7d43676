import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { OLD_INTERACTIONS, OldInteractionsProcessor } from './clean-up/old-interactions.processor.js';

/** Background work for interactive components: deletes expired rows. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, BullModule.registerQueue({ name: OLD_INTERACTIONS })],
  providers: [OldInteractionsProcessor],
})
export class InteractiveWorkerModule {}
