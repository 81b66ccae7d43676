import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord } from './outbox-event.js';

/**
 * A feature that turns committed events into its own rows (deliveries, poll records) or into live
 * updates.
 */
export interface OutboxSubscriber {
  readonly name: string;
  /**
   * Whether it plans the targets that `partOf` returns. Only such a subscriber gets an event again
   * after its first part, and while another one has targets left, it gets the event later.
   */
  readonly plansInParts?: boolean;
  /**
   * Plans a batch of up to 500 events in order, in the relay's transaction. Use a handful of
   * set-based statements per batch and no I/O except the database. A rejected promise rolls the
   * batch back. An error about an event's content rejects that event. Call `checkRowBudget` before
   * writing many rows.
   */
  plan(tx: Tx, records: OutboxRecord[]): Promise<void>;
  /**
   * Called after the commit, in order, to publish live updates. Must not throw. `records` are those
   * that it has planned, none after a part that others plan.
   */
  committed?(records: OutboxRecord[]): void;
  /**
   * Called when the last planned batch was rolled back. Its events come again, but not always
   * together.
   */
  rolledBack?(): void;
  /**
   * Called to drop caches: another relay has worked in between, or the outcome of a commit is
   * unknown.
   */
  reset?(): void;
}
