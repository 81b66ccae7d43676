import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db, unprepared } from '@tieline/platform/database';
import { OutboxRelays } from '@tieline/delivery';
import { NotificationMetrics } from './notifications.metrics.js';
import { NotificationJobSettings } from '../conversations.settings.js';
import { NotificationBatches } from './batches/notification-batches.js';
import { COUNT_JOBS } from './notification-jobs.statements.js';
import { NotificationObserver } from './notification-observer.js';
import { NotificationPlanner } from './notification-planner.js';

const SWEEP_MS = 2_000;
const FAILURE_PAUSE_MS = 250;

/**
 * Notifies people of messages, batch by batch. After a crash, the next sweep of any worker resumes.
 * Runs as a loop of the process, not as a queue processor, so that an alert never waits for Redis.
 */
@Injectable()
export class NotificationsWorker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly batches: NotificationBatches;
  private readonly notifying = new Loop(() => this.batches.run(), {
    everyMs: SWEEP_MS,
    retryMs: FAILURE_PAUSE_MS,
    failed: (error) => this.observer.failed('notifications', error),
  });

  constructor(
    private readonly db: Db,
    private readonly relays: OutboxRelays,
    private readonly metrics: NotificationMetrics,
    private readonly observer: NotificationObserver,
    settings: NotificationJobSettings,
  ) {
    this.batches = new NotificationBatches(db, settings.maxAttempts, observer);
  }

  onModuleInit(): void {
    this.relays.subscribe(() => new NotificationPlanner(() => this.notifying.wake()));
    this.metrics.onScrape(() => this.scrape());
  }

  onApplicationBootstrap(): void {
    this.notifying.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.notifying.stop();
  }

  private async scrape(): Promise<void> {
    const [jobs] = await this.db.query(unprepared(COUNT_JOBS));
    if (jobs) this.metrics.backlog(jobs);
  }
}
