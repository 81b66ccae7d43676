import { Module } from '@nestjs/common';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, QueueWorkerHost, QueueWorkerModule } from '@tieline/queue';
import { BuiltinsWorkerModule } from './builtins/builtins-worker.module.js';
import { dropOrphanedCommands, dropTriggers } from './triggers/drop-triggers.js';

export const DROP_TRIGGERS = defineJob('slash.drop-triggers');
const DROP_MS = 600_000;

/** The worker's part of slash commands: deletes what has expired. */
@Module({ imports: [DatabaseModule, QueueWorkerModule, BuiltinsWorkerModule] })
export class SlashWorkerModule {
  constructor(
    private readonly db: Db,
    jobs: QueueWorkerHost,
  ) {
    jobs.register(DROP_TRIGGERS, ({ signal }) => this.dropAll(signal), { everyMs: DROP_MS });
  }

  private async dropAll(signal: AbortSignal): Promise<void> {
    await dropOrphanedCommands(this.db);
    for (let dropped = 1; dropped > 0 && !signal.aborted;) dropped = await dropTriggers(this.db);
  }
}
