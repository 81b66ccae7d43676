import { Module } from '@nestjs/common';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, QueueWorkerHost, QueueWorkerModule } from '@tieline/queue';
import { dropOldKeys } from './once.js';

const DROP_OLD_KEYS = defineJob('idempotency.drop-old');
const HOUR_MS = 3_600_000;

/** In workers: forgets idempotency keys that are over a day old. */
@Module({ imports: [DatabaseModule, QueueWorkerModule] })
export class IdempotencyWorkerModule {
  constructor(db: Db, jobs: QueueWorkerHost) {
    jobs.register(
      DROP_OLD_KEYS,
      async () => {
        while ((await dropOldKeys(db)) > 0);
      },
      { everyMs: HOUR_MS },
    );
  }
}
