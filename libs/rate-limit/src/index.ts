export { LocalRates } from './charging/local-rates.js';
export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateRule } from './rate-rule.js';
export { CallerRates } from './charging/caller-rates.js';
export { charged, isRefusal } from './charging/charge.js';
export type { Repeats } from './charging/charge.js';
export { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
export { RateLimitModule } from './rate-limit.module.js';
