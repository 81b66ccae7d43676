import type { Logger } from 'pino';
import type { RowOf } from '@tieline/platform/database';
import type { DeliveryMetrics } from '../delivery.metrics.js';
import type { SET_ASIDE } from './outbox.statements.js';

/** Turns what the outbox relay does into metrics and log lines. */
export class RelayObserver {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly logger: Logger,
    private readonly shard = 0,
  ) {}

  /** A batch of events was planned. */
  relayed(count: number, durationMs: number): void {
    this.metrics.outboxRelayed(count);
    this.logger.debug({ events: count, duration_ms: durationMs }, 'events planned');
  }

  /** A batch failed; it is tried again. */
  failed(error: unknown): void {
    this.metrics.failed('relay');
    this.logger.error({ part: 'relay', err: error }, 'relay failed');
  }

  /**
   * Nothing can be planned because the schema does not fit the program; {@link failed} says why at
   * every try.
   */
  blocked(is: boolean): void {
    this.metrics.relayBlocked(is, this.shard);
  }

  /** Records how many spaces are planned separately. */
  held(spaces: number): void {
    this.metrics.relayHolds(spaces, this.shard);
  }

  /** Counts and logs an event that cannot be planned. */
  rejected(event: RowOf<typeof SET_ASIDE>, error: unknown): void {
    const { id, event_id, space_id, type } = event;
    this.metrics.outboxRejected(type);
    this.logger.error(
      { part: 'relay', outbox_id: id, event_id, space_id, event_type: type, err: error },
      'event rejected',
    );
  }
}
