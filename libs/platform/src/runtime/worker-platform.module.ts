import { Global, Inject, Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '../database/index.js';
import { DELIVERY_EVENTS, DeliveryModule } from '../delivery/index.js';
import { dropOldKeys } from '../idempotency/index.js';
import { DeliveryObserver, Metrics, RelayObserver } from '../observability/index.js';
import { OutboxRelay, RELAY_EVENTS, RelayModule } from '../outbox/index.js';
import { defineJob, Queue, QueueWorkerHost, QueueWorkerModule } from '../queue/index.js';
import { FileStorage } from '../storage/index.js';

const DROP_OLD_KEYS = defineJob('idempotency.drop-old');
const REMOVE_ABANDONED_UPLOADS = defineJob('storage.remove-abandoned-uploads');
const HOUR_MS = 3_600_000;

@Global()
@Module({
  providers: [
    { provide: RELAY_EVENTS, useExisting: RelayObserver },
    { provide: DELIVERY_EVENTS, useExisting: DeliveryObserver },
  ],
  exports: [RELAY_EVENTS, DELIVERY_EVENTS],
})
class ObserversModule {}

/** What only workers run: jobs, relay, delivery engine, and the numbers that are asked of the database at each scrape. */
@Module({ imports: [ObserversModule, QueueWorkerModule, RelayModule, DeliveryModule] })
export class WorkerPlatformModule implements OnApplicationBootstrap {
  constructor(
    @Inject(Db) private readonly db: Db,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(OutboxRelay) private readonly relay: OutboxRelay,
    @Inject(Queue) private readonly queue: Queue,
    @Inject(QueueWorkerHost) jobs: QueueWorkerHost,
    @Inject(FileStorage) storage: FileStorage,
  ) {
    jobs.register(DROP_OLD_KEYS, async () => {
      while ((await dropOldKeys(this.db)) > 0);
    });
    jobs.register(REMOVE_ABANDONED_UPLOADS, async () => {
      await storage.removeAbandonedUploads();
    });
  }

  onApplicationBootstrap(): void {
    this.queue.every(DROP_OLD_KEYS, HOUR_MS);
    this.queue.every(REMOVE_ABANDONED_UPLOADS, HOUR_MS);
    void this.queue.wake(REMOVE_ABANDONED_UPLOADS);
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
