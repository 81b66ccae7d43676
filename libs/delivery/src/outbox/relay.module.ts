import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { OutboxModule } from './outbox.module.js';
import { PlatformSettings } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { OutboxRelay } from './outbox-relay.js';
import { OutboxWakeups } from './outbox-wakeups.js';
import { RelayLeadership } from './relay-leadership.js';
import { RelayObserver } from './relay-observer.js';

/** Runs the relay for as long as the worker lives. Subscribers register in `onModuleInit`. */
@Injectable()
class RelayRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private end: (() => void) | undefined;

  constructor(
    private readonly relay: OutboxRelay,
    private readonly wakeups: OutboxWakeups,
  ) {}

  onApplicationBootstrap(): void {
    this.end = this.wakeups.listen(() => this.relay.wake());
    this.relay.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end?.();
    await this.relay.stop();
  }
}

/** In workers: provides the {@link OutboxRelay} for subscribers, and runs it. */
@Module({
  imports: [DatabaseModule, OutboxModule],
  providers: [
    DeliveryMetrics,
    {
      provide: OutboxRelay,
      inject: [Db, PlatformSettings, DeliveryMetrics, LOGGER],
      useFactory: (db: Db, { databaseUrl }: PlatformSettings, metrics: DeliveryMetrics, logger: Logger) =>
        new OutboxRelay(db, new RelayLeadership(databaseUrl), new RelayObserver(metrics, logger)),
    },
    RelayRunner,
  ],
  exports: [OutboxRelay],
})
export class RelayModule {}
