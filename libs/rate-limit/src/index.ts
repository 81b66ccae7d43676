export { LocalRates } from './local-rates.js';
export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateRule } from './rate-limiter.js';
export { charged } from './charge.js';
export { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
export { RateLimitModule } from './rate-limit.module.js';
