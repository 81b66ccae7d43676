import type { RateRule } from './rate-rule.js';

/**
 * Remembers when the hits of a call were counted, so that a refund is not taken from a later
 * window. The key is the array of the caller, which disappears with the request. An unknown array
 * counts as counted now.
 */
export class HitAges {
  private readonly countedAt = new WeakMap<readonly RateRule[], number>();

  /** Records that the hits of `rules` were counted now. */
  counted(rules: readonly RateRule[]): void {
    this.countedAt.set(rules, performance.now());
  }

  /** Returns the milliseconds since the hits of `rules` were counted. */
  of(rules: readonly RateRule[]): number {
    const at = this.countedAt.get(rules);
    return at === undefined ? 0 : performance.now() - at;
  }
}
