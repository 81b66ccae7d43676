import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** What is counted of buttons, selects and modals. */
@Injectable()
export class InteractiveMetrics {
  private readonly interactions = this.metrics.counter(
    'tieline_interactions_total',
    'Clicks, selections and submitted modals, by event and outcome',
    ['event', 'outcome'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Somebody used a button, a select or a modal; `failed` when its bot gave no usable answer. */
  interaction(event: string, outcome: string): void {
    this.interactions.labels(event, outcome).inc();
  }
}
