import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '../database/index.js';
import { defineJob, Queue, QueueWorkerHost } from '../queue/index.js';
import { dropOldKeys } from './once.js';

const DROP_OLD_KEYS = defineJob('idempotency.drop-old');
const HOUR_MS = 3_600_000;

/** In workers: forgets idempotency keys that are over a day old. */
@Module({})
export class IdempotencyWorkerModule implements OnApplicationBootstrap {
  constructor(
    db: Db,
    private readonly queue: Queue,
    jobs: QueueWorkerHost,
  ) {
    jobs.register(DROP_OLD_KEYS, async () => {
      while ((await dropOldKeys(db)) > 0);
    });
  }

  onApplicationBootstrap(): void {
    this.queue.every(DROP_OLD_KEYS, HOUR_MS);
  }
}
