import { Signal } from '@tieline/background';
import type { RateRule } from '../rate-rule.js';

/** Ended windows are removed when there are more than this many. */
const MAX_WINDOWS = 10_000;

interface Entry {
  /** Hits of requests in progress. */
  pending: number;
  /** Number of refunded hits since the entry exists. */
  released: number;
  readonly waiting: Set<Signal>;
}

interface Window {
  counted: number;
  isFirm: boolean;
  readonly until: number;
}

/**
 * The hits of requests in progress in this process. Such a hit may be refunded, so a caller that
 * finds a limit used up by them waits for their outcome. It gets a 429 only when successful
 * requests have used the limit up.
 */
export class PendingHits {
  private readonly entries = new Map<string, Entry>();
  private readonly windows = new Map<string, Window>();

  /** Registers hits that the store has granted. */
  begin(rules: readonly RateRule[]): void {
    for (const { key } of rules) this.entry(key).pending += 1;
  }

  /**
   * Keeps the hits of a successful request. @param askedAt when the store was queried
   * (performance.now)
   */
  count(rules: readonly RateRule[], askedAt: number): void {
    for (const rule of rules) {
      this.windowOf(rule, askedAt).counted += 1;
      this.end(rule.key, false);
    }
  }

  /** Removes the hits of a refused request after the store has them back. */
  release(rules: readonly RateRule[]): void {
    for (const { key } of rules) this.end(key, true);
  }

  /** Returns a number that changes with every refunded hit of these rules. */
  releasesOf(rules: readonly RateRule[]): number {
    return rules.reduce((sum, { key }) => sum + (this.entries.get(key)?.released ?? 0), 0);
  }

  isPending({ key }: RateRule): boolean {
    return (this.entries.get(key)?.pending ?? 0) > 0;
  }

  /** Resolves when a hit of the rule is refunded, when none is pending any more, or after `ms`. */
  async settled({ key }: RateRule, ms: number): Promise<void> {
    const entry = this.entry(key);
    const signal = new Signal();
    entry.waiting.add(signal);
    await signal.wait(ms);
    entry.waiting.delete(signal);
  }

  /** Returns whether requests in progress in other processes may have used the rule up. */
  isElsewhere(rule: RateRule): boolean {
    const window = this.windows.get(rule.key);
    if (window === undefined || window.until <= performance.now()) return true;
    return !window.isFirm && window.counted < rule.limit;
  }

  /**
   * Makes {@link isElsewhere} return false until the window ends, because all requests in other
   * processes have finished.
   */
  confirm(rule: RateRule): void {
    this.windowOf(rule, performance.now()).isFirm = true;
  }

  private end(key: string, isReleased: boolean): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.pending -= 1;
    if (isReleased) {
      entry.released += 1;
      const [longest] = entry.waiting;
      if (longest) entry.waiting.delete(longest);
      longest?.notify();
    }
    if (entry.pending > 0) return;
    for (const signal of entry.waiting) signal.notify();
    this.entries.delete(key);
  }

  private entry(key: string): Entry {
    const known = this.entries.get(key);
    if (known) return known;
    const entry: Entry = { pending: 0, released: 0, waiting: new Set() };
    this.entries.set(key, entry);
    return entry;
  }

  private windowOf({ key, windowMs }: RateRule, from: number): Window {
    const now = performance.now();
    if (this.windows.size > MAX_WINDOWS)
      for (const [name, { until }] of this.windows) if (until <= now) this.windows.delete(name);
    const known = this.windows.get(key);
    if (known && known.until > now) return known;
    const window: Window = { counted: 0, isFirm: false, until: from + windowMs };
    this.windows.set(key, window);
    return window;
  }
}
