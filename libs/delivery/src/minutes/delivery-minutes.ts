import { randomUUID } from 'node:crypto';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import type { Result } from '../engine/delivery.types.js';
import { ageClass, sumOfAges } from './ages.js';
import { ADD_MINUTES } from './minutes.statements.js';

const MINUTE_MS = 60_000;
const WRITE_MS = 5_000;
/**
 * Spaces and minutes that are counted at once; beyond that nothing new is, until these are written.
 */
const MOST = 20_000;

interface Counts {
  space_id: string;
  minute: string;
  delivered: number;
  failed: number;
  retried: number;
  ages: number[];
}

/**
 * Counts in memory what becomes of deliveries, and writes the sums every few seconds: what is
 * counted costs the deliveries nothing. A process that is killed takes the counts of its last
 * seconds with it; the log of deliveries has everything.
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

  /** Writes what is left, and ends. */
  async stop(): Promise<void> {
    this.loop.wake();
    await this.loop.drain();
    await this.loop.stop();
  }

  /**
   * A claimed delivery is finished. Test sends are not counted: they say nothing of what the
   * space's events come to.
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
    const made = { space_id: spaceId, minute, delivered: 0, failed: 0, retried: 0, ages: [] };
    this.counted.set(key, made);
    return made;
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

  /** What could not be written is counted together with what came meanwhile. */
  private putBack(key: string, counts: Counts): void {
    const now = this.counted.get(key);
    if (!now) return void (this.counted.size < MOST && this.counted.set(key, counts));
    now.delivered += counts.delivered;
    now.failed += counts.failed;
    now.retried += counts.retried;
    now.ages = sumOfAges([now.ages, counts.ages]);
  }
}
