import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';
import type { RateLimitEvents } from './counting-rate-limiter.js';

/** What is counted of rate limits. */
@Injectable()
export class RateLimitMetrics implements RateLimitEvents {
  private readonly refusals = this.metrics.counter(
    'tieline_rate_limit_refusals_total',
    'Requests over a rate limit',
    ['limit'],
  );
  private readonly undecided = this.metrics.counter(
    'tieline_rate_limit_unavailable_total',
    'Requests without a decision because no rate limiter was available',
  );

  constructor(private readonly metrics: Metrics) {}

  /** A request was refused; `limit` names the rule, not whom it met. */
  rateRefused(limit: string): void {
    this.refusals.labels(limit).inc();
  }

  /** The store of the counters was away. */
  rateUnavailable(): void {
    this.undecided.inc();
  }

  /** The connection to the store failed. */
  failed(): void {
    this.metrics.failure('rate-limit');
  }
}
