import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { OutboxModule } from './outbox.module.js';
import { PlatformSettings } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { Db, DatabaseModule, DueChecks } from '@tieline/platform/database';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { OutboxWakeups } from './outbox-wakeups.js';
import { RelaySocket, relaySocketPath } from './local/relay-socket.js';
import { RelayObserver } from './relay-observer.js';
import { OutboxRelay } from './outbox-relay.js';
import { PayloadReader } from './payload-reader.js';
import { RelayLeadership } from './relay-leadership.js';

/** Runs the relay during the worker's lifetime. Subscribers register in `onModuleInit`. */
@Injectable()
class RelayRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private end: (() => void) | undefined;
  private readonly socket: RelaySocket;

  constructor(
    private readonly relay: OutboxRelay,
    private readonly wakeups: OutboxWakeups,
    private readonly checks: DueChecks,
    { dataDir }: PlatformSettings,
  ) {
    this.socket = new RelaySocket(relaySocketPath(dataDir), relay);
  }

  onApplicationBootstrap(): void {
    this.end = this.wakeups.listen(() => this.relay.wake());
    this.relay.checkWith(this.checks);
    this.relay.start(() => void this.socket.open());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end?.();
    this.socket.close();
    await this.relay.stop();
  }
}

/** Provides the {@link OutboxRelay} for subscribers in workers, and runs it. */
@Module({
  imports: [DatabaseModule, OutboxModule],
  providers: [
    DeliveryMetrics,
    {
      provide: OutboxRelay,
      inject: [Db, PlatformSettings, DeliveryMetrics, LOGGER, PayloadReader],
      useFactory: (
        db: Db,
        { databaseUrl }: PlatformSettings,
        metrics: DeliveryMetrics,
        logger: Logger,
        reader: PayloadReader,
      ) => new OutboxRelay(db, new RelayLeadership(databaseUrl), new RelayObserver(metrics, logger), reader),
    },
    RelayRunner,
  ],
  exports: [OutboxRelay],
})
export class RelayModule {}
