import { Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { OutboxWakeups } from './outbox-wakeups.js';

@Injectable()
class WakeupsCloser implements OnApplicationShutdown {
  constructor(private readonly wakeups: OutboxWakeups) {}

  async onApplicationShutdown(): Promise<void> {
    await this.wakeups.close();
  }
}

/** In every process that commits events: tells the relay after the commit. */
@Module({
  imports: [DatabaseModule, BusModule],
  providers: [
    // The api shows them too, always as 0.
    DeliveryMetrics,
    {
      provide: OutboxWakeups,
      inject: [Db, Bus],
      useFactory: (db: Db, bus: Bus) => new OutboxWakeups(db, bus),
    },
    WakeupsCloser,
  ],
  exports: [OutboxWakeups],
})
export class OutboxModule {}
