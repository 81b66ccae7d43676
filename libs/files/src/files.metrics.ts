import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** What is counted of files. */
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

  /** Something became of files. */
  files(outcome: string, count = 1): void {
    if (count > 0) this.outcomes.labels(outcome).inc(count);
  }

  /** What workers still have to do about files. */
  waiting(checks: number, removals: number): void {
    this.pending.labels('check').set(checks);
    this.pending.labels('remove').set(removals);
  }

  /** Asks for values just before a scrape. */
  onScrape(ask: () => Promise<void>): void {
    this.metrics.onScrape(ask);
  }
}
