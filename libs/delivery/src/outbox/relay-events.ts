import type { RowOf } from '@tieline/platform/database';
import type { SET_ASIDE } from './outbox.statements.js';

/** What happens inside the relay, for logs and metrics. */
export interface RelayEvents {
  relayed?(count: number, durationMs: number): void;
  /** Something passing went wrong; it is tried again. */
  failed?(error: unknown): void;
  /** An event was set aside because a subscriber could not plan it. */
  rejected?(event: RowOf<typeof SET_ASIDE>, error: unknown): void;
  /**
   * Nothing can be planned because the schema does not fit the program (true), or something can.
   */
  blocked?(is: boolean): void;
  /** So many spaces are worked off apart now, because many of their events can't be planned. */
  held?(spaces: number): void;
}
