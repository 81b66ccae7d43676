import type { RateRule } from '../rate-rule.js';

/** Ended windows are removed when there are more than this many. */
const MAX_WINDOWS = 10_000;

interface Window {
  hits: number;
  /** End of the window (performance.now). */
  until: number;
}

/**
 * Counts in this process only, for endpoints that stay open while the store of the limits is down.
 * With several processes, a multiple of the limit may pass.
 */
export class LocalRates {
  private readonly windows = new Map<string, Window>();

  /** Counts one hit. @returns whether there was room for it */
  consume({ key, limit, windowMs }: RateRule): boolean {
    const now = performance.now();
    if (this.windows.size > MAX_WINDOWS) this.sweep(now);
    let window = this.windows.get(key);
    if (window === undefined || window.until <= now) {
      window = { hits: 0, until: now + windowMs };
      this.windows.set(key, window);
    }
    if (window.hits >= limit) return false;
    window.hits += 1;
    return true;
  }

  /** Refunds a hit, unless its window has ended. */
  refund({ key }: RateRule): void {
    const window = this.windows.get(key);
    if (window !== undefined && window.until > performance.now()) window.hits = Math.max(0, window.hits - 1);
  }

  private sweep(now: number): void {
    for (const [key, { until }] of this.windows) if (until <= now) this.windows.delete(key);
  }
}
