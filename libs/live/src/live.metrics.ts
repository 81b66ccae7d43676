import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** Metrics of the bus and of event streams. */
@Injectable()
export class LiveMetrics {
  private readonly open = this.metrics.gauge('tieline_streams_open', 'Open live streams');
  private readonly closed = this.metrics.counter(
    'tieline_streams_closed_total',
    'Closed live streams by reason',
    ['reason'],
  );
  private readonly dropped = this.metrics.counter(
    'tieline_bus_dropped_total',
    'Dropped live events by reason',
    ['reason'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** A stream was opened, or closed for a reason. Fits `SseStreams.observe`. */
  streams(open: number, closed?: string): void {
    this.open.set(open);
    if (closed !== undefined) this.closed.labels(closed).inc();
  }

  /** Live messages were dropped. */
  busDropped(count: number, reason: string): void {
    this.dropped.labels(reason).inc(count);
  }

  /** The bus connection failed. */
  busFailed(): void {
    this.metrics.failure('bus');
  }
}
