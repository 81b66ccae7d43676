import type { Logger } from 'pino';
import { uuidTime } from '@tieline/partitions';
import type { DeliveryMetrics } from '../delivery.metrics.js';

/** What is observed of a finished attempt. Results of the engine match it. */
export interface ObservedDelivery {
  readonly delivery: {
    readonly id: string;
    readonly spaceId: string;
    readonly kind: string;
    readonly targetId: string;
    readonly eventId: string;
    readonly eventType: string;
    /** Number of earlier attempts. */
    readonly attempts: number;
    readonly createdAt: Date;
    readonly resent: boolean;
  };
  readonly outcome: { readonly kind: string; readonly at?: Date; readonly error?: string };
  readonly attempt?: {
    readonly statusCode: number | null;
    readonly durationMs: number;
    readonly error: string | null;
  };
}

/**
 * Turns results of the engine into metrics and one log line per attempt, without bodies and
 * addresses.
 */
export class DeliveryObserver {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly logger: Logger,
  ) {}

  /** Counts and logs a finished attempt. */
  finished({ delivery, outcome, attempt }: ObservedDelivery): void {
    this.metrics.delivery(delivery.kind, outcome.kind);
    if (attempt !== undefined) this.metrics.attempt(delivery.kind, attempt.statusCode, attempt.durationMs);
    // The age of a redelivery depends on when an admin requested it, so it is not a latency.
    if (outcome.kind === 'delivered' && !delivery.resent)
      this.metrics.arrived(delivery.kind, delivery.attempts + 1, Date.now() - uuidTime(delivery.eventId));
    this.logger.info(
      {
        delivery_id: delivery.id,
        event_id: delivery.eventId,
        event_type: delivery.eventType,
        space_id: delivery.spaceId,
        kind: delivery.kind,
        target_id: delivery.targetId,
        attempt: attempt === undefined ? undefined : delivery.attempts + 1,
        outcome: outcome.kind,
        status_code: attempt?.statusCode ?? undefined,
        duration_ms: attempt?.durationMs,
        age_ms: Date.now() - delivery.createdAt.getTime(),
        next_at: outcome.at?.toISOString(),
        error: outcome.error ?? attempt?.error ?? undefined,
      },
      'delivery',
    );
  }

  /** Logs a failure of our own. The work is retried. */
  failed(error: unknown): void {
    this.metrics.failed('delivery');
    this.logger.error({ part: 'delivery', err: error }, 'delivery engine failed');
  }
}
