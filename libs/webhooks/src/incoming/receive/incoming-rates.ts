import { LocalRates, RateLimiterUnavailable } from '@tieline/rate-limit';
import type { RateLimiter, RateRule } from '@tieline/rate-limit';
import type { Plan } from '@tieline/spaces';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

/** Messages per second and webhook, by plan. */
const RATES: Readonly<Record<Plan, number>> = { free: 5, pro: 10, enterprise: 30 };

/** A request counted in the rate limit. */
export interface CountedRequest {
  /** Takes the request back out of the count. Never throws. */
  refund: () => Promise<void>;
}

/**
 * Rate limits of incoming webhooks. While Redis is unavailable, each process counts separately,
 * because a lost alert is worse than one too many.
 */
export class IncomingRates {
  private readonly local = new LocalRates();

  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts a request, whether or not it is accepted later.
   * @param wasRejected whether its signature was rejected before. Such repeats share a separate
   * rate limit of the same size, so that a captured request does not exhaust the limit of its
   * sender.
   * @returns undefined when the rate limit is exhausted.
   */
  async count({ id, plan }: FoundWebhook, wasRejected: boolean): Promise<CountedRequest | undefined> {
    const key = wasRejected ? `incoming:${id}:repeats` : `incoming:${id}`;
    const rule: RateRule = { key, limit: RATES[plan], windowMs: 1000 };
    const rules = [rule];
    try {
      const { allowed } = await this.limiter.consume(rules);
      return allowed ? { refund: () => this.limiter.refund(rules) } : undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterUnavailable)) throw error;
      if (!this.local.consume(rule)) return undefined;
      return { refund: async () => this.local.refund(rule) };
    }
  }
}

/** Returns the 429 of a webhook whose rate limit is exhausted. */
export const tooManyRequests = ({ plan }: FoundWebhook): RejectedRequest =>
  new RejectedRequest(429, `more than ${RATES[plan]} messages per second`, { 'retry-after': '1' });
