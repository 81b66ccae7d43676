import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';
import type { Verdict } from './incoming-webhooks.errors.js';

/** Metrics of incoming webhooks. */
@Injectable()
export class IncomingMetrics {
  private readonly requests = this.metrics.counter(
    'tieline_incoming_requests_total',
    'Requests to incoming webhooks by verdict',
    ['verdict'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts an answered request. */
  request(verdict: 'accepted' | Verdict): void {
    this.requests.labels(verdict).inc();
  }
}
