import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ADVISORY_LOCKS, Loop } from '@tieline/platform/background';
import { Db, runInTx } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { DmInboxSettings } from '../bots.settings.js';

const RUN_MS = 60_000;
const EXPIRED_BATCH = 5_000;

const EXPIRE = `DELETE FROM dm_inbox WHERE (space_id, bot_id, position) IN (
  SELECT space_id, bot_id, position FROM dm_inbox WHERE created_at < now() - $1::int * interval '1 hour' ORDER BY created_at LIMIT ${EXPIRED_BATCH})
  RETURNING 1`;

// Only bots that got something lately can have too much: others were seen to when they had. What came within the last minute
// stays, for it may be on its way to a stream.
const TRIM = `WITH recent AS (
    SELECT DISTINCT space_id, bot_id FROM dm_inbox WHERE created_at > now() - interval '5 minutes'
  ), placed AS (
    SELECT d.space_id, d.bot_id, d.position, d.created_at, row_number() OVER (PARTITION BY d.space_id, d.bot_id ORDER BY d.position DESC) AS place
      FROM recent JOIN dm_inbox d ON d.space_id = recent.space_id AND d.bot_id = recent.bot_id
  ), superfluous AS (
    SELECT space_id, bot_id, placed.position FROM placed LEFT JOIN dm_inbox_positions p USING (space_id, bot_id)
     WHERE placed.created_at < now() - interval '1 minute' AND (placed.place > $1 OR placed.position <= p.position)
  )
  DELETE FROM dm_inbox d USING superfluous s WHERE d.space_id = s.space_id AND d.bot_id = s.bot_id AND d.position = s.position`;

/**
 * Keeps the inboxes small: every minute it removes what is older than DM_INBOX_TTL_HOURS, what bots have got, and what
 * exceeds DM_INBOX_LIMIT. Streams do not depend on it: they leave out what is too old or too much by themselves.
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
    let expired: number;
    do expired = await this.alone(async (query) => (await query(EXPIRE, [this.settings.ttlHours])).length);
    while (expired === EXPIRED_BATCH);
    await this.alone(async (query) => (await query(TRIM, [this.settings.limit])).length);
  }

  /** Two processes would delete the same rows, in orders of their own. */
  private async alone(
    work: (query: (sql: string, params: unknown[]) => Promise<unknown[]>) => Promise<number>,
  ): Promise<number> {
    return runInTx(this.db, async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [
        ADVISORY_LOCKS.inboxTidying,
      ]);
      return lock?.held ? work((sql, params) => tx.query(sql, params)) : 0;
    });
  }
}
