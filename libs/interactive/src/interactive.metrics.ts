import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** Metrics of buttons, selects and modals. */
@Injectable()
export class InteractiveMetrics {
  private readonly interactions = this.metrics.counter(
    'tieline_interactions_total',
    'Clicks, selections and submitted modals, by event and outcome',
    ['event', 'outcome'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts one interaction. The outcome is `failed` if the bot gave no usable answer. */
  interaction(event: string, outcome: string): void {
    this.interactions.labels(event, outcome).inc();
  }
}
