import { Global, Inject, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '@tieline/platform/config';
import { PostgresRateLimiter, RateLimiter, RedisRateLimiter } from '@tieline/platform/rate-limit';
import { testRedisUrl } from '@tieline/platform/testing';

async function openRateLimiter({ databaseUrl }: AppConfig): Promise<RateLimiter> {
  const redisUrl = await testRedisUrl();
  return redisUrl === undefined ? new PostgresRateLimiter({ databaseUrl }) : new RedisRateLimiter({ redisUrl });
}

/** The real rate limiter of a test's application: on Redis where the tests have one, else on the test's database. */
@Global()
@Module({ providers: [{ provide: RateLimiter, inject: [AppConfig], useFactory: openRateLimiter }], exports: [RateLimiter] })
export class TestRateLimits implements OnApplicationShutdown {
  constructor(@Inject(RateLimiter) private readonly limiter: RateLimiter) {}

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
