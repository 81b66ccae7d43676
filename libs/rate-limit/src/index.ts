export { LocalRates } from './local-rates.js';
export { RateLimiter, RateLimiterUnavailable } from './rate-limiter.js';
export type { RateRule } from './rate-limiter.js';
export { CallerRates } from './caller-rates.js';
export { CallerRateSettings } from './rate-limit.settings.js';
export { charged, countRefusal, isRefusal } from './charge.js';
export type { ChargeOptions } from './charge.js';
export { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
export { RateLimitModule } from './rate-limit.module.js';
