import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ADVISORY_LOCKS, Loop } from '@tieline/platform/background';
import { Db, runInTx } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { DmInboxSettings } from '../bots.settings.js';
import { EXPIRE_DMS, EXPIRED_BATCH, TRIM_DMS } from './dm-inbox.statements.js';

const RUN_MS = 60_000;

/**
 * Keeps the inboxes small: every minute it removes entries that are older than DM_INBOX_TTL_HOURS, delivered, or beyond
 * DM_INBOX_LIMIT. Streams do not depend on it; they skip such entries themselves.
 */
@Injectable()
export class DmInboxKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tidying = new Loop(() => this.tidy(), {
    everyMs: RUN_MS,
    failed: () => this.metrics.failure('dm_inbox'),
  });

  constructor(
    private readonly db: Db,
    private readonly settings: DmInboxSettings,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.tidying.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.tidying.stop();
  }

  /** @internal tests do not wait for the clock */
  async tidy(): Promise<void> {
    while ((await this.alone(EXPIRE_DMS.text, this.settings.ttlHours)) === EXPIRED_BATCH);
    await this.alone(TRIM_DMS.text, this.settings.limit);
  }

  /**
   * Runs a statement unless another process is tidying: two would delete the same rows, each in its own order.
   * Unprepared, so that it is planned for the present size of the inboxes. @returns how many rows it returned
   */
  private async alone(sql: string, limit: number): Promise<number> {
    return runInTx(this.db, async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [
        ADVISORY_LOCKS.inboxTidying,
      ]);
      return lock?.held ? (await tx.query(sql, [limit])).length : 0;
    });
  }
}
