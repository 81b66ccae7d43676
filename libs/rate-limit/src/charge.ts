import { ApiError, rateLimited } from '@tieline/platform/http';
import type { LocalRates } from './local-rates.js';
import { RateLimiterUnavailable } from './rate-limiter.js';
import type { RateDecision, RateLimiter, RateRule } from './rate-limiter.js';

/**
 * Counts a request against its rates, then does the work. All rules or none are counted.
 *
 * A request that is refused with a 4xx other than 429 does not use up its rate (decisions, section 1).
 * @param local counts while the limiter's store is away, for doors that stay open then
 * @throws 429 with `Retry-After` when a rate is used up; 503 when the limiter's store is away
 */
export async function charged<T>(
  limiter: RateLimiter,
  rules: RateRule[],
  work: () => Promise<T>,
  local?: LocalRates,
): Promise<T> {
  const decision = await limiter.consume(rules).catch((error: unknown) => {
    if (!local || !(error instanceof RateLimiterUnavailable)) throw error;
    return countedHere(local, rules);
  });
  if (!decision.allowed) throw rateLimited(decision.retryAfterSeconds);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) await limiter.refund(rules);
    throw error;
  }
}

function countedHere(local: LocalRates, rules: RateRule[]): RateDecision {
  const full = rules.filter((rule) => !local.consume(rule));
  const [rule] = full;
  const longest = Math.max(...full.map(({ windowMs }) => windowMs));
  return rule ? { allowed: false, retryAfterSeconds: Math.ceil(longest / 1000), rule } : { allowed: true };
}
