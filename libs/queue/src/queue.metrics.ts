import { Injectable } from '@nestjs/common';
import { Metrics, WORK_SECONDS } from '@tieline/platform/observability';

const LAG_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/** Metrics of jobs. */
@Injectable()
export class QueueMetrics {
  private readonly lag = this.metrics.histogram(
    'tieline_job_lag_seconds',
    'Delay from the due time of a job to its start',
    ['job'],
    LAG_SECONDS,
  );
  private readonly runs = this.metrics.histogram(
    'tieline_job_duration_seconds',
    'Duration of job runs',
    ['job', 'outcome'],
    WORK_SECONDS,
  );
  private readonly lastRun = this.metrics.gauge(
    'tieline_queue_last_run_timestamp_seconds',
    'Start of the last successful run in this process, or of the last check that found nothing due',
    ['queue'],
  );
  private readonly interval = this.metrics.gauge(
    'tieline_queue_interval_seconds',
    'Interval of a background job, over all processes',
    ['queue'],
  );
  private readonly wakeFailures = this.metrics.counter(
    'tieline_job_wake_failures_total',
    'Wake-ups and timers that the queue did not accept',
    ['job'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts a run. */
  ran(job: string, failed: boolean, durationMs: number, lagMs: number): void {
    this.runs.labels(job, failed ? 'error' : 'ok').observe(durationMs / 1000);
    this.lag.labels(job).observe(lagMs / 1000);
    if (!failed) this.lastRun.labels(job).set((Date.now() - durationMs) / 1000);
  }

  /** Sets the interval of a queue whose jobs this process takes. */
  takes(queue: string, everyMs: number): void {
    this.interval.labels(queue).set(everyMs / 1000);
    this.looked(queue);
  }

  /** Notes that nothing was due. */
  looked(queue: string): void {
    this.lastRun.labels(queue).set(Date.now() / 1000);
  }

  /** Counts a wake-up that did not reach the queue. */
  wakeFailed(job: string): void {
    this.wakeFailures.labels(job).inc();
  }

  /** Counts a failure of the connection to the queue. */
  failed(): void {
    this.metrics.failure('queue');
  }
}
