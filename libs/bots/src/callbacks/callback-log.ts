import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { shownUrl } from '@tieline/egress';
import { Loop } from '@tieline/background';
import { Db, runInWorkerTx } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { v7 as uuidv7 } from 'uuid';
import { LOG_CALLBACKS, TRIM_CALLBACKS } from './callbacks.statements.js';
import { countFailures } from './count-failures.js';
import type { EndedCallback, LoggedCallback } from './ended-callback.js';
import { EveryNth } from './every-nth.js';

/** Callbacks are written together, so often at most, and tried again after a pause. */
const WRITE_EVERY_MS = 50;
const RETRY_MS = 1_000;
const BATCH = 200;
/** So many may wait while the database is away; further ones are lost. */
const MAX_WAITING = 2_000;
/** A bot is trimmed whenever this process has written so many of it. */
export const TRIM_EVERY = 1_000;
/**
 * Bots that are counted at most. Whoever comes so seldom as to be forgotten fills no disk within
 * the days that callbacks are kept.
 */
const COUNTED_BOTS = 10_000;
const TARGET_CHARACTERS = 512;

/**
 * What came of callbacks, for admins. No person waits for it: what has ended gathers for a moment,
 * is written together, and before the process ends.
 */
@Injectable()
export class CallbackLog implements OnApplicationShutdown {
  private readonly waiting: LoggedCallback[] = [];
  private readonly written = new EveryNth(TRIM_EVERY, COUNTED_BOTS);
  private isEnding = false;
  private readonly writing = new Loop(() => this.writeSome(), {
    lingerMs: WRITE_EVERY_MS,
    retryMs: RETRY_MS,
    failed: () => this.metrics.failure('callback_log'),
  });

  constructor(
    private readonly db: Db,
    private readonly metrics: Metrics,
  ) {}

  /** Notes a callback; never throws, never waits. */
  add(ended: EndedCallback): void {
    if (this.waiting.length >= MAX_WAITING) return this.metrics.failure('callback_log');
    this.waiting.push({ ...ended, id: uuidv7() });
    this.writing.wake();
  }

  /** Resolves once all that this process has noted so far is written. */
  async flush(): Promise<void> {
    await this.writing.drain();
  }

  /** Requests have ended, and the pool is still open. Nothing waits for a database that is away. */
  async onApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.flush();
  }

  /** @returns whether there are more */
  private async writeSome(): Promise<boolean> {
    const batch = this.waiting.slice(0, BATCH);
    if (batch.length === 0) return false;
    try {
      await runInWorkerTx(this.db, async (tx) => {
        const written = new Set((await tx.query(LOG_CALLBACKS, columnsOf(batch))).map(({ id }) => id));
        await countFailures(
          tx,
          batch.filter(({ id, isTrial }) => written.has(id) && !isTrial),
        );
      });
    } catch (error) {
      if (this.isEnding) this.waiting.length = 0;
      throw error;
    }
    this.waiting.splice(0, batch.length);
    await this.trim(batch);
    return this.waiting.length > 0;
  }

  /** Keeps what one bot may fill of the disk bounded, however often it is asked. */
  private async trim(batch: LoggedCallback[]): Promise<void> {
    for (const { spaceId, botId } of batch)
      if (this.written.add(botId)) await this.db.query(TRIM_CALLBACKS, [spaceId, botId]);
  }
}

function columnsOf(batch: readonly LoggedCallback[]): unknown[][] {
  const column = (pick: (callback: LoggedCallback) => unknown): unknown[] => batch.map(pick);
  return [
    column(({ id }) => id),
    column(({ spaceId }) => spaceId),
    column(({ botId }) => botId),
    column(({ kind }) => kind),
    column(({ url }) => shownUrl(url).slice(0, TARGET_CHARACTERS)),
    column(({ failed }) => failed),
    column(({ statusCode }) => statusCode),
    column(({ error }) => error),
    column(({ durationMs }) => durationMs),
    column(({ response }) => response),
    column(({ at }) => at),
  ];
}
