import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord } from './outbox-event.js';

/**
 * A feature that turns committed events into rows of its own (deliveries, poll records) or into
 * live fan-out.
 */
export interface OutboxSubscriber {
  readonly name: string;
  /**
   * Plans what follows from a batch of up to 500 events, in order, inside the relay's transaction:
   * set-based, a handful of statements per batch, no I/O but the database. A rejected promise rolls
   * the batch back; what it throws about an event's content sets that event aside. Before much is
   * written `checkRowBudget` is asked.
   */
  plan(tx: Tx, records: OutboxRecord[]): Promise<void>;
  /** After the commit, in order: for live fan-out. It must not throw. */
  committed?(records: OutboxRecord[]): void;
  /**
   * The batch that was planned last was rolled back: forget it. Its events come again, not always
   * together.
   */
  rolledBack?(): void;
  /**
   * Another relay has worked since, or nobody knows whether a batch was committed: drop what was
   * cached.
   */
  reset?(): void;
}
