export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateDecision, RateRule } from './rate-limiter.js';
