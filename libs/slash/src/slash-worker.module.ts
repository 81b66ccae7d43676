import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { BuiltinsWorkerModule } from './builtins/builtins-worker.module.js';
import { OLD_TRIGGERS, OldTriggersProcessor } from './triggers/old-triggers.processor.js';

/** Background work for slash commands: deletes expired rows. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    BuiltinsWorkerModule,
    BullModule.registerQueue({ name: OLD_TRIGGERS }),
  ],
  providers: [OldTriggersProcessor],
})
export class SlashWorkerModule {}
