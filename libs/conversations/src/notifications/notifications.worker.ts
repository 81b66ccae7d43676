import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS, Loop } from '@tieline/platform/background';
import { Db, rotateDailyPartitions, runInTx, unprepared, uuidFloor } from '@tieline/platform/database';
import { OutboxRelay } from '@tieline/delivery';
import { NotificationMetrics } from './notifications.metrics.js';
import { NotificationJobSettings } from '../conversations.settings.js';
import { NotificationBatches } from './batches/notification-batches.js';
import { COUNT_JOBS, DROP_REJECTED } from './notification-jobs.statements.js';
import { NotificationObserver } from './notification-observer.js';
import { NotificationPlanner } from './notification-planner.js';

const SWEEP_MS = 2_000;
const FAILURE_PAUSE_MS = 250;
const ROTATE_MS = 3_600_000;
const RETENTION_MS = 30 * 86_400_000;
const DROPPED_AT_ONCE = 5_000;

/** Brings messages to people's notice, batch by batch. What a crash interrupts is found by the next sweep, of any worker. */
@Injectable()
export class NotificationsWorker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly batches: NotificationBatches;
  private readonly notifying = new Loop(() => this.batches.run(), {
    everyMs: SWEEP_MS,
    retryMs: FAILURE_PAUSE_MS,
    failed: (error) => this.observer.failed('notifications', error),
  });
  private readonly rotating = new Loop(() => this.rotate(), {
    everyMs: ROTATE_MS,
    failed: (error) => this.observer.failed('notification_partitions', error),
  });

  constructor(
    private readonly db: Db,
    private readonly relay: OutboxRelay,
    private readonly metrics: NotificationMetrics,
    private readonly observer: NotificationObserver,
    settings: NotificationJobSettings,
  ) {
    this.batches = new NotificationBatches(db, settings.maxAttempts, observer);
  }

  onModuleInit(): void {
    this.relay.subscribe(new NotificationPlanner(() => this.notifying.wake()));
    this.metrics.onScrape(() => this.scrape());
  }

  async onApplicationBootstrap(): Promise<void> {
    this.rotating.start().wake();
    await this.rotating.drain();
    this.notifying.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.notifying.stop();
    await this.rotating.stop();
  }

  private async scrape(): Promise<void> {
    const [jobs] = await this.db.query(unprepared(COUNT_JOBS));
    if (jobs) this.metrics.backlog(jobs);
  }

  private async rotate(): Promise<void> {
    await runInTx(this.db, async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.notificationPartitions]);
      await rotateDailyPartitions(tx, {
        name: 'notifications',
        column: 'id',
        floor: uuidFloor,
        retentionMs: RETENTION_MS,
      });
    });
    while ((await this.db.query(DROP_REJECTED, [DROPPED_AT_ONCE])).length === DROPPED_AT_ONCE);
  }
}
