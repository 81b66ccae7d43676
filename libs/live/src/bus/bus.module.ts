import { Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { doneWithin } from '@tieline/background';
import { PlatformSettings } from '@tieline/platform/config';
import { HealthChecks, LOGGER } from '@tieline/platform/observability';
import { LiveMetrics } from '../live.metrics.js';
import { Bus } from './bus.js';
import { LiveBus } from './live-bus.js';
import { PostgresTransport } from './postgres-transport.js';
import { RedisTransport } from './redis-transport.js';

/** How long the start waits for the server. After that the process starts without being ready. */
const START_MS = 1_500;

async function openBus(settings: PlatformSettings, metrics: LiveMetrics, logger: Logger): Promise<Bus> {
  const transport =
    settings.redisUrl === undefined
      ? new PostgresTransport(settings.databaseUrl)
      : new RedisTransport(settings.redisUrl);
  const bus = new LiveBus(transport, {
    dropped: (count, reason) => metrics.busDropped(count, reason),
    failed: (error) => {
      metrics.busFailed();
      logger.warn({ part: 'bus', err: error }, 'connection of the bus failed');
    },
  });
  await doneWithin(bus.start(), START_MS);
  return bus;
}

/**
 * Provides the {@link Bus}: on Redis when REDIS_URL is set, else on Postgres. Part of readiness.
 */
@Module({
  providers: [
    LiveMetrics,
    { provide: Bus, inject: [PlatformSettings, LiveMetrics, LOGGER], useFactory: openBus },
  ],
  exports: [Bus],
})
export class BusModule implements OnApplicationShutdown {
  constructor(
    private readonly bus: Bus,
    checks: HealthChecks,
  ) {
    checks.register('bus', 'degrades', () => {
      if (!bus.connected) throw new Error('the bus is not connected');
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.bus.close();
  }
}
