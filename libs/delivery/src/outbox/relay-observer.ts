import type { Logger } from 'pino';
import type { RowOf } from '@tieline/platform/database';
import type { DeliveryMetrics } from '../delivery.metrics.js';
import type { SET_ASIDE } from './outbox.statements.js';

/** Turns events of the relay into metrics and log lines. */
export class RelayObserver {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly logger: Logger,
  ) {}

  /** Counts a planned batch. */
  relayed(count: number, durationMs: number): void {
    this.metrics.outboxRelayed(count);
    this.logger.debug({ events: count, duration_ms: durationMs }, 'events planned');
  }

  /** Logs a failed batch. The relay retries it. */
  failed(error: unknown): void {
    this.metrics.failed('relay');
    this.logger.error({ part: 'relay', err: error }, 'relay failed');
  }

  /**
   * Logs that nothing can be planned because program and schema do not match. {@link failed} logs
   * the reason at every attempt.
   */
  blocked(is: boolean): void {
    this.metrics.relayBlocked(is);
  }

  /** Records how many spaces are planned separately. */
  held(spaces: number): void {
    this.metrics.relayHolds(spaces);
  }

  /** Counts and logs an event that cannot be planned. */
  rejected(event: RowOf<typeof SET_ASIDE>, error: unknown): void {
    const { id, eventId, spaceId, type } = event;
    this.metrics.outboxRejected(type);
    this.logger.error(
      { part: 'relay', outbox_id: id, event_id: eventId, space_id: spaceId, event_type: type, err: error },
      'event rejected',
    );
  }
}
