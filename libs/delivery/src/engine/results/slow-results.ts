import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../delivery.types.js';

/** Attempts that take longer are slow. */
const SLOW_MS = 1000;
/** How long the first result waits for others: a tenth of that. */
const GATHER_MS = 100;

/**
 * Collects the results of slow attempts, which arrive one by one, so that they share a transaction.
 * Quick results and test sends, which an admin waits for, are not delayed.
 */
export class SlowResults {
  private gathering: Promise<void> | undefined;

  /** @param pause how long the first result waits for others */
  constructor(private readonly pause: () => Promise<unknown> = () => sleep(GATHER_MS)) {}

  /** Resolves when the result may be written, together with all others that wait at that time. */
  async gather({ delivery, attempt }: Result): Promise<void> {
    if (!delivery.counts || attempt === undefined || attempt.durationMs < SLOW_MS) return;
    await (this.gathering ??= this.next());
  }

  private async next(): Promise<void> {
    await this.pause();
    this.gathering = undefined;
  }
}
