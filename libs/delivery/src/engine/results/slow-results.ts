import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../delivery.types.js';

/** An attempt that takes longer is slow; milliseconds. */
const SLOW_MS = 1000;
/** A tenth of that: what took long has time. */
const GATHER_MS = 100;

/**
 * Results of slow attempts come one by one, and each would have a transaction of its own: they wait
 * a moment for each other. Quick ones don't, nor do test sends, which an admin waits for.
 */
export class SlowResults {
  private gathering: Promise<void> | undefined;

  /** @param pause how long the first waits for others */
  constructor(private readonly pause: () => Promise<unknown> = () => sleep(GATHER_MS)) {}

  /** Resolves when the result may be written; for those that wait at the same time together. */
  async gather({ delivery, attempt }: Result): Promise<void> {
    if (!delivery.counts || attempt === undefined || attempt.durationMs < SLOW_MS) return;
    await (this.gathering ??= this.next());
  }

  private async next(): Promise<void> {
    await this.pause();
    this.gathering = undefined;
  }
}
