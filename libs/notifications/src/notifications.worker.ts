import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db, DueChecks, unprepared } from '@tieline/platform/database';
import { OutboxRelay } from '@tieline/delivery';
import { NotificationMetrics } from './notifications.metrics.js';
import { NotificationBatches } from './batches/notification-batches.js';
import { COUNT_JOBS, JOBS_ARE_DUE } from './jobs/notification-jobs.statements.js';
import { NotificationObserver } from './notification-observer.js';
import { NotificationPlanner } from './jobs/notification-planner.js';

/** Attempts to process a message before it is rejected. */
const MAX_ATTEMPTS = 8;
const FAILURE_PAUSE_MS = 250;

/**
 * Notifies people of messages, batch by batch. After a crash, the next check of any worker resumes.
 * Runs as a loop of the process, not as a queue processor, so that an alert never waits for Redis.
 */
@Injectable()
export class NotificationsWorker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly batches: NotificationBatches;
  private readonly notifying = new Loop(() => this.batches.run(), {
    retryMs: FAILURE_PAUSE_MS,
    failed: (error) => this.observer.failed('notifications', error),
  });

  constructor(
    private readonly db: Db,
    private readonly checks: DueChecks,
    private readonly relay: OutboxRelay,
    private readonly metrics: NotificationMetrics,
    private readonly observer: NotificationObserver,
  ) {
    this.batches = new NotificationBatches(db, MAX_ATTEMPTS, observer);
  }

  onModuleInit(): void {
    this.relay.subscribe(new NotificationPlanner(() => this.notifying.wake()));
    this.metrics.onScrape(() => this.scrape());
  }

  onApplicationBootstrap(): void {
    this.checks.register({ statement: JOBS_ARE_DUE }, (due) => {
      if (due) this.notifying.wake();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.notifying.stop();
  }

  private async scrape(): Promise<void> {
    const [jobs] = await this.db.query(unprepared(COUNT_JOBS));
    if (jobs) this.metrics.backlog(jobs);
  }
}
