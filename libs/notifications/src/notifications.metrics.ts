import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** Metrics of notifications. */
@Injectable()
export class NotificationMetrics {
  private readonly messages = this.metrics.counter(
    'tieline_notification_messages_total',
    'Messages that people are notified of, by outcome',
    ['outcome'],
  );
  private readonly waiting = this.metrics.gauge(
    'tieline_notification_messages_waiting',
    'Messages waiting for their notifications',
    ['state'],
  );
  private readonly age = this.metrics.gauge(
    'tieline_notification_age_seconds',
    'Age of the oldest message waiting for its first notification attempt',
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts processed messages. */
  outcome(outcome: 'notified' | 'retry' | 'rejected', count = 1): void {
    this.messages.labels(outcome).inc(count);
  }

  /** Sets the gauges of pending messages. */
  backlog(jobs: { waiting: number; failed: number; age: number }): void {
    this.waiting.labels('new').set(jobs.waiting);
    this.waiting.labels('failed').set(jobs.failed);
    this.age.set(jobs.age);
  }

  /** Counts a failure of background work, which is retried. */
  failed(part: 'notifications' | 'notification_partitions'): void {
    this.metrics.failure(part);
  }

  /** Registers a function that updates the gauges before a scrape. */
  onScrape(ask: () => Promise<void>): void {
    this.metrics.onScrape(ask);
  }
}
