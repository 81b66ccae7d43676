export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateDecision, RateRule } from './rate-limiter.js';
export { PostgresRateLimiter } from './postgres-rate-limiter.js';
export type { PostgresRateLimiterSettings } from './postgres-rate-limiter.js';
export { RedisRateLimiter } from './redis-rate-limiter.js';
export type { RedisRateLimiterSettings } from './redis-rate-limiter.js';
export { CountingRateLimiter } from './counting-rate-limiter.js';
export type { RateLimitEvents } from './counting-rate-limiter.js';
export { RateLimitModule } from './rate-limit.module.js';
