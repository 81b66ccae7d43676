import { RateLimiter } from './rate-limiter.js';
import type { RateDecision } from './rate-limiter.js';
import type { RateRule } from './rate-rule.js';

/**
 * A process takes this fraction of a large limit at a time, so that one query of the store covers
 * several hits.
 */
const PORTIONS = 1000;
/**
 * Smaller portions are not worth it: such limits are counted exactly, hit by hit. Callers that find
 * a lease empty wait for the next portion together, so with small ones a crowd of them would retry
 * over and over.
 */
const MIN_PORTION = 100;
/** Ended leases are removed when there are more than this many. */
const MAX_LEASES = 20_000;

interface Lease {
  left: number;
  /** The rest is discarded after this time (performance.now). */
  until: number;
}

/**
 * Saves queries of the store for large limits (100,000 and more per window): a process takes a
 * thousandth of the limit at a time and counts it down locally. Smaller limits are counted exactly.
 *
 * The price is precision: while other processes hold leases, up to a thousandth of the limit for
 * each of them is refused too early, and as much may be used in the following window.
 */
export class LeasingRateLimiter extends RateLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly takes = new Map<string, Promise<number>>();
  /**
   * Rules that were counted one by one, for their refund: the store identifies calls by their
   * array.
   */
  private readonly countedExactly = new WeakMap<readonly RateRule[], readonly RateRule[]>();

  /** @param portions into how many portions a limit is divided */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly portions = PORTIONS,
  ) {
    super();
  }

  override async consume(rules: readonly RateRule[]): Promise<RateDecision> {
    const leased = rules.filter((rule) => this.portionOf(rule) >= MIN_PORTION);
    if (leased.length === 0) return this.limiter.consume(rules);
    if (!(await this.reserve(leased))) return this.limiter.consume(rules);
    const exact = rules.filter((rule) => !leased.includes(rule));
    if (exact.length === 0) return { allowed: true };
    let decision: RateDecision | undefined;
    try {
      decision = await this.limiter.consume(exact);
      if (decision.allowed) this.countedExactly.set(rules, exact);
      return decision;
    } finally {
      if (!decision?.allowed) for (const rule of leased) this.add(rule, 1);
    }
  }

  override async refund(rules: readonly RateRule[]): Promise<void> {
    const leased = rules.filter((rule) => this.portionOf(rule) >= MIN_PORTION);
    for (const rule of leased) this.add(rule, 1);
    const exact = leased.length === 0 ? rules : this.countedExactly.get(rules);
    if (exact !== undefined) await this.limiter.refund(exact);
  }

  override take(key: string, limit: number, windowMs: number, wanted: number): Promise<number> {
    return this.limiter.take(key, limit, windowMs, wanted);
  }

  override check(): Promise<void> {
    return this.limiter.check();
  }

  override close(): Promise<void> {
    return this.limiter.close();
  }

  /**
   * Uses one hit of each lease, or none at all; first takes portions for empty leases. Returns
   * false when there is none.
   */
  private async reserve(rules: readonly RateRule[]): Promise<boolean> {
    for (;;) {
      const empty = rules.find((rule) => this.left(rule) < 1);
      if (empty === undefined) break;
      if ((await this.takePortion(empty)) < 1) return false;
    }
    for (const rule of rules) this.add(rule, -1);
    return true;
  }

  private left({ key }: RateRule): number {
    const lease = this.leases.get(key);
    return lease === undefined || lease.until <= performance.now() ? 0 : lease.left;
  }

  private add({ key }: RateRule, hits: number): void {
    const lease = this.leases.get(key);
    if (lease !== undefined) lease.left = Math.max(0, lease.left + hits);
  }

  /** Takes one more portion for all callers that wait for this key. */
  private takePortion(rule: RateRule): Promise<number> {
    const { key, limit, windowMs } = rule;
    const underWay = this.takes.get(key);
    if (underWay) return underWay;
    const take = this.limiter
      .take(key, limit, windowMs, this.portionOf(rule))
      .then((granted) => {
        if (granted > 0)
          this.leases.set(key, { left: this.left(rule) + granted, until: performance.now() + windowMs });
        if (this.leases.size > MAX_LEASES) this.sweep();
        return granted;
      })
      .finally(() => this.takes.delete(key));
    this.takes.set(key, take);
    return take;
  }

  private sweep(): void {
    const now = performance.now();
    for (const [key, lease] of this.leases) if (lease.until <= now) this.leases.delete(key);
  }

  private portionOf({ limit }: RateRule): number {
    return Math.floor(limit / this.portions);
  }
}
