import type { RateRule } from './rate-rule.js';

/**
 * Remembers when the hits of a call were counted, so that a refund can tell them from hits of a
 * later window. Keyed by the array that the caller used, which vanishes with the request. An array
 * never seen counts as counted just now.
 */
export class HitAges {
  private readonly countedAt = new WeakMap<readonly RateRule[], number>();

  /** The hits of `rules` were counted just now. */
  counted(rules: readonly RateRule[]): void {
    this.countedAt.set(rules, performance.now());
  }

  /** Milliseconds since the hits of `rules` were counted. */
  of(rules: readonly RateRule[]): number {
    const at = this.countedAt.get(rules);
    return at === undefined ? 0 : performance.now() - at;
  }
}
