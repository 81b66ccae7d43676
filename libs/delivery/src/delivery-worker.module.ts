import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseModule, Db } from '@tieline/platform/database';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DeliveryWakeupsModule } from './engine/claims/delivery-wakeups.module.js';
import { DeliveryModule } from './engine/delivery.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { RelayModule } from './outbox/relay.module.js';

/** In workers: relay, delivery engine, and the numbers that are asked of the database at each scrape. */
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
    const [row] = await this.db.query<{ events: number; age: number; breakers: number; due: number }>(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT 100000) o) AS events,
         coalesce((SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM outbox ORDER BY id LIMIT 1), 0) AS age,
         (SELECT count(*) FROM delivery_targets WHERE open_until IS NOT NULL) AS breakers,
         coalesce((SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8 FROM delivery_queue q WHERE due_at < clock_timestamp() AND lease IS NULL
           AND NOT EXISTS (SELECT 1 FROM delivery_targets t WHERE t.target_id = q.target_id AND t.open_until IS NOT NULL)), 0) AS due`,
    );
    if (!row) return;
    this.metrics.outbox(row.events, row.age);
    this.metrics.openBreakers(row.breakers);
    this.metrics.dueDeliveries(row.due);
  }
}
