import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';
import type { RateLimitEvents } from './metered-rate-limiter.js';

/** Metrics of rate limits. */
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

  /** Counts a refused request; `limit` names the rule, not its owner. */
  rateRefused(limit: string): void {
    this.refusals.labels(limit).inc();
  }

  /** Counts a decision that failed because the store was down. */
  rateUnavailable(): void {
    this.undecided.inc();
  }

  /** Counts a failure of the connection to the store. */
  failed(): void {
    this.metrics.failure('rate-limit');
  }
}
