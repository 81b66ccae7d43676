import { randomUUID } from 'node:crypto';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import type { Result } from '../engine/delivery.types.js';
import { ageClass, sumOfAges } from './ages.js';
import { ADD_MINUTES } from './minutes.statements.js';

const MINUTE_MS = 60_000;
const WRITE_MS = 5_000;
/**
 * Maximum number of counters (space and minute) in memory. More are not counted until these are
 * written.
 */
const MOST = 20_000;

interface Counts {
  spaceId: string;
  minute: string;
  delivered: number;
  failed: number;
  retried: number;
  ages: number[];
}

/**
 * Counts the outcomes of deliveries in memory and writes the sums every few seconds, so that
 * counting costs deliveries nothing. A killed process loses the counts of its last seconds. The
 * delivery log is complete.
 */
export class DeliveryMinutes {
  private readonly process = randomUUID();
  private readonly loop: Loop;
  private counted = new Map<string, Counts>();

  constructor(
    private readonly db: Db,
    failed: (error: unknown) => void,
  ) {
    this.loop = new Loop(() => this.write(), { everyMs: WRITE_MS, failed });
  }

  start(): void {
    this.loop.start();
  }

  /** Writes the remaining counts and stops. */
  async stop(): Promise<void> {
    this.loop.wake();
    await this.loop.drain();
    await this.loop.stop();
  }

  /**
   * Counts a finished attempt. Test sends are not counted, because they say nothing about the
   * space's events.
   */
  finished({ delivery, outcome, attempt }: Result): void {
    const isRetry = outcome.kind === 'retry' && attempt !== undefined;
    if (!delivery.counts || (outcome.kind !== 'delivered' && outcome.kind !== 'dead' && !isRetry)) return;
    const now = Date.now();
    const counts = this.countsOf(delivery.spaceId, now);
    if (!counts) return;
    if (isRetry) counts.retried += 1;
    else if (outcome.kind === 'dead') counts.failed += 1;
    else {
      counts.delivered += 1;
      const index = ageClass(now - delivery.createdAt.getTime());
      while (counts.ages.length <= index) counts.ages.push(0);
      counts.ages[index] = (counts.ages[index] ?? 0) + 1;
    }
  }

  private countsOf(spaceId: string, now: number): Counts | undefined {
    const minute = new Date(now - (now % MINUTE_MS)).toISOString();
    const key = `${minute} ${spaceId}`;
    const known = this.counted.get(key);
    if (known || this.counted.size >= MOST) return known;
    const minuteRow = { spaceId, minute, delivered: 0, failed: 0, retried: 0, ages: [] };
    this.counted.set(key, minuteRow);
    return minuteRow;
  }

  private async write(): Promise<void> {
    const taken = this.counted;
    if (taken.size === 0) return;
    this.counted = new Map();
    try {
      await this.db.query(ADD_MINUTES, [JSON.stringify([...taken.values()]), this.process]);
    } catch (error) {
      for (const [key, counts] of taken) this.putBack(key, counts);
      throw error;
    }
  }

  /** Returns counts that could not be written, to be added to newer ones. */
  private putBack(key: string, counts: Counts): void {
    const now = this.counted.get(key);
    if (!now) return void (this.counted.size < MOST && this.counted.set(key, counts));
    now.delivered += counts.delivered;
    now.failed += counts.failed;
    now.retried += counts.retried;
    now.ages = sumOfAges([now.ages, counts.ages]);
  }
}
