import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { OutboxModule } from './outbox.module.js';
import { PlatformSettings } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { RelaySettings } from '../delivery.settings.js';
import { OutboxWakeups } from './outbox-wakeups.js';
import { RelayObserver } from './relay-observer.js';
import { OutboxRelays } from './shards/outbox-relays.js';

/**
 * Fraction of the pool that planning may use. A transaction takes one connection, sometimes a
 * second one for reads.
 */
const OF_THE_POOL = 0.25;

/** Runs the relays during the worker's lifetime. Subscribers register in `onModuleInit`. */
@Injectable()
class RelayRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private end: (() => void) | undefined;

  constructor(
    private readonly relays: OutboxRelays,
    private readonly wakeups: OutboxWakeups,
  ) {}

  onApplicationBootstrap(): void {
    this.end = this.wakeups.listen((slots) => this.relays.wake(slots));
    this.relays.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end?.();
    await this.relays.stop();
  }
}

/** Provides the {@link OutboxRelays} for subscribers in workers, and runs them. */
@Module({
  imports: [DatabaseModule, OutboxModule],
  providers: [
    DeliveryMetrics,
    RelaySettings,
    {
      provide: OutboxRelays,
      inject: [Db, PlatformSettings, RelaySettings, DeliveryMetrics, LOGGER],
      useFactory: (
        db: Db,
        { databaseUrl, databasePoolMax }: PlatformSettings,
        { shards }: RelaySettings,
        metrics: DeliveryMetrics,
        logger: Logger,
      ) =>
        new OutboxRelays(db, {
          databaseUrl,
          shards: Number(shards),
          maxConcurrent: Math.max(1, Math.floor(databasePoolMax * OF_THE_POOL)),
          eventsOf: ({ number }) => new RelayObserver(metrics, logger, number),
        }),
    },
    RelayRunner,
  ],
  exports: [OutboxRelays],
})
export class RelayModule {}
