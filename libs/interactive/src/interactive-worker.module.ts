import { Module } from '@nestjs/common';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, QueueWorkerHost, QueueWorkerModule } from '@tieline/queue';
import { dropInteractions } from './clean-up/drop-interactions.js';

export const DROP_INTERACTIONS = defineJob('interactive.drop-interactions');
const DROP_MS = 300_000;

/** The worker's part of interactive components: deletes what has expired. */
@Module({ imports: [DatabaseModule, QueueWorkerModule] })
export class InteractiveWorkerModule {
  constructor(
    private readonly db: Db,
    jobs: QueueWorkerHost,
  ) {
    jobs.register(DROP_INTERACTIONS, ({ signal }) => this.dropAll(signal), { everyMs: DROP_MS });
  }

  private async dropAll(signal: AbortSignal): Promise<void> {
    for (let dropped = 1; dropped > 0 && !signal.aborted;) dropped = await dropInteractions(this.db);
  }
}
