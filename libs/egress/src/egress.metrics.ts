import { Injectable } from '@nestjs/common';
import { Metrics, WORK_SECONDS } from '@tieline/platform/observability';

/** Metrics of callbacks. */
@Injectable()
export class EgressMetrics {
  private readonly callbacks = this.metrics.histogram(
    'tieline_callback_duration_seconds',
    'Duration of callbacks to bots, by event and outcome',
    ['event', 'outcome'],
    WORK_SECONDS,
  );

  constructor(private readonly metrics: Metrics) {}

  /** Records one request to a bot's callback address. */
  callback(event: string, outcome: string, durationMs: number): void {
    this.callbacks.labels(event, outcome).observe(durationMs / 1000);
  }
}
