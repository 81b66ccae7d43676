import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { shownUrl } from '@tieline/egress';
import { Loop } from '@tieline/background';
import { Db, runInWorkerTx } from '@tieline/platform/database';
import type { ValuesOf } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { uuidv7 } from 'uuidv7';
import { LOG_CALLBACKS, TRIM_CALLBACKS } from './callbacks.statements.js';
import { countFailures } from './count-failures.js';
import type { EndedCallback, LoggedCallback } from './ended-callback.js';
import { EveryNth } from './every-nth.js';

/** Minimum interval between two writes, and the pause before a failed write is retried. */
const WRITE_EVERY_MS = 50;
const RETRY_MS = 1_000;
const BATCH = 200;
/**
 * Maximum number of callbacks that wait while the database is unavailable. Further ones are
 * dropped.
 */
const MAX_WAITING = 2_000;
/** Number of callbacks written for one bot by this process before its log is trimmed. */
export const TRIM_EVERY = 1_000;
/**
 * Maximum number of bots that are counted. A bot that calls rarely enough to drop out cannot fill
 * the disk within the retention.
 */
const COUNTED_BOTS = 10_000;
const TARGET_CHARACTERS = 512;

/**
 * Logs callbacks for admins. No request waits for it: ended callbacks are collected for a moment
 * and written together, the last ones before the process ends.
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

  /** Queues a callback. Never throws, never waits. */
  add(ended: EndedCallback): void {
    if (this.waiting.length >= MAX_WAITING) return this.metrics.failure('callback_log');
    this.waiting.push({ ...ended, id: uuidv7() });
    this.writing.wake();
  }

  /** Resolves when all callbacks queued so far are written. */
  async flush(): Promise<void> {
    await this.writing.drain();
  }

  /** Requests have ended and the pool is still open. Does not wait for an unavailable database. */
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

  /** Limits the disk space that one bot's callbacks can take. */
  private async trim(batch: LoggedCallback[]): Promise<void> {
    for (const { spaceId, botId } of batch)
      if (this.written.add(botId)) await this.db.query(TRIM_CALLBACKS, [spaceId, botId]);
  }
}

function columnsOf(batch: readonly LoggedCallback[]): ValuesOf<typeof LOG_CALLBACKS> {
  return {
    ids: batch.map(({ id }) => id),
    spaceIds: batch.map(({ spaceId }) => spaceId),
    botIds: batch.map(({ botId }) => botId),
    kinds: batch.map(({ kind }) => kind),
    targets: batch.map(({ url }) => shownUrl(url).slice(0, TARGET_CHARACTERS)),
    failed: batch.map(({ failed }) => failed),
    statusCodes: batch.map(({ statusCode }) => statusCode),
    errors: batch.map(({ error }) => error),
    durations: batch.map(({ durationMs }) => durationMs),
    responses: batch.map(({ response }) => response),
    times: batch.map(({ at }) => at),
  };
}
