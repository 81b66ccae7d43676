import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseModule, Db, unprepared } from '@tieline/platform/database';
import { BACKLOG, OLDEST_SNAPSHOT } from './backlog.statements.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryWakeupsModule } from './engine/claims/delivery-wakeups.module.js';
import { DeliveryLanes } from './engine/lanes/delivery-lanes.js';
import { DeliveryModule } from './engine/delivery.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { RelayModule } from './outbox/relay.module.js';
import { OutboxRelay } from './outbox/outbox-relay.js';

/**
 * Relay, delivery engine, and the gauges that each scrape reads from the database, for workers.
 */
@Module({
  imports: [DatabaseModule, RelayModule, DeliveryModule, OutboxModule, DeliveryWakeupsModule],
  providers: [DeliveryMetrics],
})
export class DeliveryWorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly db: Db,
    private readonly metrics: DeliveryMetrics,
    private readonly relay: OutboxRelay,
    private readonly lanes: DeliveryLanes,
  ) {}

  onApplicationBootstrap(): void {
    this.relay.setFillingCheck((spaceId) => this.lanes.areFilledBy(spaceId));
    this.relay.setDirect(() => this.lanes.beginDirect());
    this.metrics.onScrape(() => this.scrape());
  }

  private async scrape(): Promise<void> {
    this.metrics.relayLeads(this.relay.leading);
    const [[backlog], [oldest]] = await Promise.all([
      this.db.query(unprepared(BACKLOG)),
      this.db.query(OLDEST_SNAPSHOT),
    ]);
    if (!backlog || !oldest) return;
    this.metrics.outbox(backlog.events, backlog.age);
    this.metrics.openBreakers(backlog.breakers);
    this.metrics.dueDeliveries(backlog.due);
    const { first, retry, test } = backlog;
    this.metrics.pendingDeliveries({ first, retry, test }, backlog.sendable);
    this.metrics.oldestSnapshot(oldest.seconds, oldest.transactions);
  }
}
