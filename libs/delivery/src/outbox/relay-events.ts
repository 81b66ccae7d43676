import type { RowOf } from '@tieline/platform/database';
import type { SET_ASIDE } from './outbox.statements.js';

/** Events of the relay, for logs and metrics. */
export interface RelayEvents {
  relayed?(count: number, durationMs: number): void;
  /** A transient failure. The relay retries. */
  failed?(error: unknown): void;
  /** An event was rejected because a subscriber could not plan it. */
  rejected?(event: RowOf<typeof SET_ASIDE>, error: unknown): void;
  /** Whether nothing can be planned because program and schema do not match. */
  blocked?(is: boolean): void;
  /**
   * Number of spaces that are relayed separately because many of their events can't be planned.
   */
  held?(spaces: number): void;
}
