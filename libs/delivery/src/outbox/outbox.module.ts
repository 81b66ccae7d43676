import { Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { PlatformSettings } from '@tieline/platform/config';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { LocalRelay } from './local/local-relay.js';
import { relaySocketPath } from './local/relay-socket.js';
import { OutboxWakeups } from './outbox-wakeups.js';

@Injectable()
class WakeupsCloser implements OnApplicationShutdown {
  constructor(private readonly wakeups: OutboxWakeups) {}

  async onApplicationShutdown(): Promise<void> {
    await this.wakeups.close();
  }
}

/** Wakes the relay after commits, in every process that commits events. */
@Module({
  imports: [DatabaseModule, BusModule],
  providers: [
    // The api exports these metrics too, always as 0.
    DeliveryMetrics,
    {
      provide: OutboxWakeups,
      inject: [Db, Bus, PlatformSettings],
      useFactory: (db: Db, bus: Bus, { dataDir }: PlatformSettings) =>
        new OutboxWakeups(db, bus, new LocalRelay(relaySocketPath(dataDir))),
    },
    WakeupsCloser,
  ],
  exports: [OutboxWakeups],
})
export class OutboxModule {}
