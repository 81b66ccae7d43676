import { Inject, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { Loop } from '../background/index.js';
import { Db, DatabaseModule } from '../database/index.js';
import { LOGGER, Metrics } from '../observability/index.js';
import { dropOldKeys } from './once.js';

const HOUR_MS = 3_600_000;

/** In workers: forgets idempotency keys that are over a day old, at the start and every hour. */
@Module({ imports: [DatabaseModule] })
export class IdempotencyWorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly cleaning: Loop;

  constructor(db: Db, metrics: Metrics, @Inject(LOGGER) logger: Logger) {
    this.cleaning = new Loop(async () => (await dropOldKeys(db)) > 0, {
      everyMs: HOUR_MS,
      failed: (error) => {
        metrics.failure('idempotency');
        logger.warn({ part: 'idempotency', err: error }, 'old idempotency keys were not dropped');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.cleaning.start().wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.cleaning.stop();
  }
}
