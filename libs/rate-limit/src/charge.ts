import { ApiError, rateLimited } from '@tieline/platform/http';
import type { RateLimiter, RateRule } from './rate-limiter.js';

/**
 * Counts a request against its rates, then does the work. All rules or none are counted.
 *
 * A request that is refused with a 4xx other than 429 does not use up its rate (decisions, section 1).
 * @throws 429 with `Retry-After` when a rate is used up; 503 when the limiter's store is away
 */
export async function charged<T>(
  limiter: RateLimiter,
  rules: RateRule[],
  work: () => Promise<T>,
): Promise<T> {
  const decision = await limiter.consume(rules);
  if (!decision.allowed) throw rateLimited(decision.retryAfterSeconds);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) await limiter.refund(rules);
    throw error;
  }
}
