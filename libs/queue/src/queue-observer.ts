import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import type { DutyWatch } from './duties/duty.js';
import { QueueMetrics } from './queue.metrics.js';

/** Minimum time between two log lines about queue failures. Every worker reports each failure. */
const QUIET_MS = 1_000;

/** Turns events of queues and duties into metrics and log lines. */
@Injectable()
export class QueueObserver {
  private quietUntil = 0;

  constructor(
    private readonly metrics: QueueMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A connection was lost, or the server's configuration loses jobs. */
  readonly failed = (error: Error): void => {
    this.metrics.failed();
    if (performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + QUIET_MS;
    this.logger.warn({ part: 'queue', err: error }, 'queue failed');
  };

  /** A wake-up or timer did not reach the server. */
  wakeFailed(queue: string): void {
    this.metrics.wakeFailed(queue);
  }

  /** Jobs of a queue with an interval are taken from now on. */
  takes(queue: string, everyMs: number): void {
    this.metrics.takes(queue, everyMs);
  }

  /** Nothing was due. */
  looked(queue: string): void {
    this.metrics.looked(queue);
  }

  /** A run has ended. */
  readonly ran: DutyWatch['ran'] = (queue, { durationMs, lagMs, error }) => {
    this.metrics.ran(queue, error !== undefined, durationMs, lagMs);
    if (error !== undefined) this.logger.error({ part: 'queue', job: queue, err: error }, 'job failed');
  };
}
