import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { PlatformSettings } from '@tieline/platform/config';
import { WriteCharges } from '@tieline/platform/http';
import { HealthChecks, LOGGER } from '@tieline/platform/observability';
import { MeteredRateLimiter } from './metered-rate-limiter.js';
import { LeasingRateLimiter } from './leasing-rate-limiter.js';
import { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
import { CallerRates } from './charging/caller-rates.js';
import { CallerRateSettings } from './rate-limit.settings.js';
import { RateLimitMetrics } from './rate-limit.metrics.js';
import { RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter } from './redis/redis-rate-limiter.js';

function openRateLimiter(settings: PlatformSettings, metrics: RateLimitMetrics, logger: Logger): RateLimiter {
  const onFailure = (error: Error): void => {
    metrics.failed();
    logger.warn({ part: 'rate-limit', err: error }, 'connection of the rate limiter failed');
  };
  const { databaseUrl, redisUrl } = settings;
  const store =
    redisUrl === undefined
      ? new PostgresRateLimiter({ databaseUrl })
      : new RedisRateLimiter({ redisUrl, onFailure });
  return new MeteredRateLimiter(new LeasingRateLimiter(store), metrics);
}

/**
 * Provides the {@link RateLimiter} to every module: on Redis when REDIS_URL is set, else on
 * Postgres. Part of readiness.
 */
@Module({
  providers: [
    RateLimitMetrics,
    CallerRateSettings,
    CallerRates,
    { provide: WriteCharges, useExisting: CallerRates },
    {
      provide: RateLimiter,
      inject: [PlatformSettings, RateLimitMetrics, LOGGER],
      useFactory: openRateLimiter,
    },
  ],
  exports: [RateLimiter, CallerRates],
})
export class RateLimitModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly limiter: RateLimiter,
    checks: HealthChecks,
  ) {
    checks.register('rate-limiter', 'degrades', () => limiter.check());
  }

  /**
   * Connects before the first request. If the store is down, this delays the start by no more than
   * a request.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.limiter.check().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
