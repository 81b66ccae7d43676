import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseModule, Db, unprepared } from '@tieline/platform/database';
import { BACKLOG } from './backlog.statements.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryWakeupsModule } from './engine/claims/delivery-wakeups.module.js';
import { DeliveryModule } from './engine/delivery.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { RelayModule } from './outbox/relay.module.js';

/** In workers: relay, delivery engine, and the gauges that are read from the database at each scrape. */
@Module({
  imports: [DatabaseModule, RelayModule, DeliveryModule, OutboxModule, DeliveryWakeupsModule],
  providers: [DeliveryMetrics],
})
export class DeliveryWorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly db: Db,
    private readonly metrics: DeliveryMetrics,
    private readonly relay: OutboxRelay,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.onScrape(() => this.scrape());
  }

  private async scrape(): Promise<void> {
    this.metrics.relayLeads(this.relay.leading);
    const [row] = await this.db.query(unprepared(BACKLOG));
    if (!row) return;
    this.metrics.outbox(row.events, row.age);
    this.metrics.openBreakers(row.breakers);
    this.metrics.dueDeliveries(row.due);
  }
}
