import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** Metrics of files. */
@Injectable()
export class FilesMetrics {
  private readonly outcomes = this.metrics.counter(
    'tieline_files_total',
    'Files by outcome. attached_late and lost count messages',
    ['outcome'],
  );
  private readonly pending = this.metrics.gauge(
    'tieline_files_pending',
    'Messages with unconfirmed files, and objects to be deleted',
    ['work'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts files by outcome. */
  files(outcome: string, count = 1): void {
    if (count > 0) this.outcomes.labels(outcome).inc(count);
  }

  /** Sets the gauges of pending work. */
  waiting(checks: number, removals: number): void {
    this.pending.labels('check').set(checks);
    this.pending.labels('remove').set(removals);
  }

  /** Registers a function that updates the gauges before a scrape. */
  onScrape(ask: () => Promise<void>): void {
    this.metrics.onScrape(ask);
  }
}
