import { LocalRates, RateLimiterUnavailable } from '@tieline/rate-limit';
import type { RateLimiter, RateRule } from '@tieline/rate-limit';
import type { Plan } from '@tieline/spaces';
import { Rejected } from '../incoming-webhooks.errors.js';
import type { FoundWebhook } from './find-by-token.js';

/** Messages per second and webhook. */
const RATES: Readonly<Record<Plan, number>> = { free: 5, pro: 10, enterprise: 30 };

/** A hit that was counted. */
export interface CountedHit {
  /** Gives the hit back; never throws. */
  refund: () => Promise<void>;
}

/**
 * Counts the requests of incoming webhooks. While the limiter's store is down, this process counts
 * by itself: a lost alert is worse than one too many.
 */
export class IncomingRates {
  private readonly local = new LocalRates();

  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts a request.
   * @param wasRefused whether its signature was refused before: such repeats share a rate of the
   * same size, so that a captured request does not use up the rate of its sender
   * @returns undefined when the rate is used up
   */
  async count({ id, plan }: FoundWebhook, wasRefused: boolean): Promise<CountedHit | undefined> {
    const key = wasRefused ? `incoming:${id}:repeats` : `incoming:${id}`;
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

/** 429 for a webhook whose rate is used up. */
export const tooManyRequests = ({ plan }: FoundWebhook): Rejected =>
  new Rejected(429, `more than ${RATES[plan]} messages per second`, { 'retry-after': '1' });
