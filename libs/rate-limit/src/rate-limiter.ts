import { Unavailable } from '@tieline/platform/http';
import { PendingHits } from './charging/pending-hits.js';
import type { RateRule } from './rate-rule.js';

/** The result of {@link RateLimiter.consume}. */
export type RateDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /**
       * Whole seconds, at least 1, until every refusing rule has room again: the `Retry-After` of
       * the 429.
       */
      readonly retryAfterSeconds: number;
      /** The refusing rule with the longest wait. */
      readonly rule: RateRule;
    };

/** Counts in fixed windows that start at the first hit of a key, over all processes. */
export abstract class RateLimiter {
  /** @internal Hits of requests in progress in this process; see `charged`. */
  readonly pending = new PendingHits();
  /** @internal Refusals that were already counted. */
  readonly countedRefusals = new WeakSet<Error>();

  /**
   * Counts one hit for every rule, or for none when any of them has no room.
   *
   * @param rules 1..10 rules; keep the array for {@link refund}
   * @throws RateLimiterUnavailable within a second when the store is down
   */
  abstract consume(rules: readonly RateRule[]): Promise<RateDecision>;

  /**
   * @internal Like {@link consume}, for a caller that may retry and reports a final refusal with
   * {@link refused}.
   */
  tryConsume(rules: readonly RateRule[]): Promise<RateDecision> {
    return this.consume(rules);
  }

  /** @internal Reports that a request was refused because of this rule. */
  refused(_rule: RateRule): void {}

  /**
   * Refunds the hit of an allowed {@link consume}, for requests that were refused afterwards. Pass
   * the same array: a hit whose window has ended is not taken from the next window. Never throws;
   * does nothing during an outage.
   */
  abstract refund(rules: readonly RateRule[]): Promise<void>;

  /**
   * Takes up to `wanted` hits of one key.
   *
   * @returns how many were granted, 0 to `wanted`
   * @throws RateLimiterUnavailable within a second when the store is down
   */
  abstract take(key: string, limit: number, windowMs: number, wanted: number): Promise<number>;

  /** Resolves when the store answers, throws otherwise (for readiness). */
  abstract check(): Promise<void>;

  /** Disconnects; later calls throw RateLimiterUnavailable. */
  abstract close(): Promise<void>;
}

/** The store of the counters is down or too slow. Over HTTP: 503. */
export class RateLimiterUnavailable extends Unavailable {
  constructor(cause?: unknown) {
    super('the rate limiter is unavailable', { cause });
    this.name = 'RateLimiterUnavailable';
  }
}
