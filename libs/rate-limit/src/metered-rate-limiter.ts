import { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
import type { RateDecision } from './rate-limiter.js';
import type { RateRule } from './rate-rule.js';

/** Receives the refusals of a rate limiter. */
export interface RateLimitEvents {
  /** `limit` consists of the key's words without its ids: `bot:messages`. */
  rateRefused(limit: string): void;
  rateUnavailable(): void;
}

/** A rate limiter that reports its refusals. */
export class MeteredRateLimiter extends RateLimiter {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly events: RateLimitEvents,
  ) {
    super();
  }

  override async consume(rules: readonly RateRule[]): Promise<RateDecision> {
    const decision = await this.tryConsume(rules);
    if (!decision.allowed) this.refused(decision.rule);
    return decision;
  }

  override tryConsume(rules: readonly RateRule[]): Promise<RateDecision> {
    return this.reportOutage(this.limiter.consume(rules));
  }

  override refused({ key }: RateRule): void {
    this.events.rateRefused(limitName(key));
  }

  override async take(key: string, limit: number, windowMs: number, wanted: number): Promise<number> {
    const granted = await this.reportOutage(this.limiter.take(key, limit, windowMs, wanted));
    if (granted < wanted) this.events.rateRefused(limitName(key));
    return granted;
  }

  override refund(rules: readonly RateRule[]): Promise<void> {
    return this.limiter.refund(rules);
  }

  override check(): Promise<void> {
    return this.limiter.check();
  }

  override close(): Promise<void> {
    return this.limiter.close();
  }

  private async reportOutage<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof RateLimiterUnavailable) this.events.rateUnavailable();
      throw error;
    }
  }
}

/** Returns the words of a key; with ids there would be a metric for each. */
function limitName(key: string): string {
  const words = key.split(':').filter((part) => /^[a-z][a-z_-]*$/.test(part));
  return words.slice(0, 3).join(':') || 'other';
}
