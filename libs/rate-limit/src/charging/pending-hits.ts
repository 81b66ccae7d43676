import type { RateRule } from '../rate-rule.js';

/** Ended windows are swept when there are more than this many. */
const MAX_WINDOWS = 10_000;

interface Entry {
  /** Hits whose requests are still under way. */
  pending: number;
  /** How many hits were given back since the entry exists. */
  released: number;
  readonly waiting: (() => void)[];
}

interface Window {
  counted: number;
  isFirm: boolean;
  readonly until: number;
}

/**
 * The hits of this process whose requests are still under way. Such a hit may be given back, so a
 * caller that finds a limit used up by them waits until they settle. It gets a 429 only when
 * requests that succeeded have used the limit up.
 */
export class PendingHits {
  private readonly entries = new Map<string, Entry>();
  private readonly windows = new Map<string, Window>();

  /** Notes hits that the store has granted. */
  begin(rules: readonly RateRule[]): void {
    for (const { key } of rules) this.entry(key).pending += 1;
  }

  /**
   * The request succeeded, so its hits stay.
   *
   * @param askedAt when the store was asked (performance.now)
   */
  count(rules: readonly RateRule[], askedAt: number): void {
    for (const rule of rules) {
      this.windowOf(rule, askedAt).counted += 1;
      this.end(rule.key, false);
    }
  }

  /** The request was refused, and the store has its hits back. */
  release(rules: readonly RateRule[]): void {
    for (const { key } of rules) this.end(key, true);
  }

  /** Changes with every hit of these rules that is given back. */
  releasesOf(rules: readonly RateRule[]): number {
    return rules.reduce((sum, { key }) => sum + (this.entries.get(key)?.released ?? 0), 0);
  }

  isPending({ key }: RateRule): boolean {
    return (this.entries.get(key)?.pending ?? 0) > 0;
  }

  /**
   * Resolves when a hit of the rule is given back, when none is pending any more, or after `ms`.
   */
  async settled({ key }: RateRule, ms: number): Promise<void> {
    const entry = this.entry(key);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        entry.waiting.splice(entry.waiting.indexOf(wake), 1);
        resolve();
      }, ms).unref();
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      entry.waiting.push(wake);
    });
  }

  /**
   * Whether other processes may have used the rule up, with requests that are still under way
   * there.
   */
  isElsewhere(rule: RateRule): boolean {
    const window = this.windows.get(rule.key);
    if (window === undefined || window.until <= performance.now()) return true;
    return !window.isFirm && window.counted < rule.limit;
  }

  /**
   * Until the window ends, {@link isElsewhere} answers false: whatever was under way elsewhere has
   * settled.
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
      entry.waiting.shift()?.();
    }
    if (entry.pending > 0) return;
    for (const wake of entry.waiting.splice(0)) wake();
    this.entries.delete(key);
  }

  private entry(key: string): Entry {
    const known = this.entries.get(key);
    if (known) return known;
    const entry: Entry = { pending: 0, released: 0, waiting: [] };
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
