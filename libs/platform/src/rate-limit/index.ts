export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateDecision, RateRule } from './rate-limiter.js';
export { PostgresRateLimiter } from './postgres-rate-limiter.js';
export type { PostgresRateLimiterSettings } from './postgres-rate-limiter.js';
export { RedisRateLimiter } from './redis-rate-limiter.js';
export type { RedisRateLimiterSettings } from './redis-rate-limiter.js';
