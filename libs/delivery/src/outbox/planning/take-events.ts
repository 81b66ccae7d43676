import { ADVISORY_LOCKS } from '@tieline/background';
import type { Tx } from '@tieline/platform/database';
import type { EventRow, TakenRow } from '../outbox-event.js';
import { MARK_RELAY, TAKE_EVENTS } from '../outbox.statements.js';

/** The server ends a leader's session after this many idle milliseconds inside a transaction. */
const FROZEN_MS = '5000';

/** Events that were taken from the outbox, in any order. */
interface Taken<Row extends EventRow> {
  rows: Row[];
  /** Whether another relay has planned since this one did. */
  takenOver: boolean;
}

/** Takes events from the outbox for a relay, as the first work of its planning transaction. */
export type TakeEvents<Row extends EventRow> = (tx: Tx, relayId: string) => Promise<Taken<Row>>;

/**
 * Waits until no other transaction plans, and prevents others until the transaction ends. Must be
 * its first statement. A leader that is frozen inside the transaction keeps the lock for at most
 * five seconds.
 */
export function lockPlanning(tx: Tx): Promise<unknown> {
  return tx.query(
    "SELECT set_config('idle_in_transaction_session_timeout', $1, true), pg_advisory_xact_lock($2)",
    [FROZEN_MS, ADVISORY_LOCKS.planning],
  );
}

/** Takes the next events, in one statement while no other transaction plans. */
export function takeNext(size: number, from: number, excluded: readonly string[]): TakeEvents<TakenRow> {
  return async (tx, relayId) => {
    const given = {
      limit: size,
      afterId: from,
      exceptSpaceIds: excluded,
      idleMs: FROZEN_MS,
      lock: ADVISORY_LOCKS.planning,
      relayId,
    };
    let taken = await tx.query(TAKE_EVENTS, given);
    if (taken[0]?.isLocked === false) {
      await lockPlanning(tx);
      taken = await tx.query(TAKE_EVENTS, given);
    }
    const rows = taken.filter((row): row is typeof row & TakenRow => row.id !== null);
    return { rows, takenOver: taken[0]?.takenOver === true };
  };
}

/** Takes events with another statement. */
export function takeBy<Row extends EventRow>(take: (tx: Tx) => Promise<Row[]>): TakeEvents<Row> {
  return async (tx, relayId) => {
    // Sent together with BEGIN. The snapshot of `take` is taken after the lock is acquired.
    const locked = lockPlanning(tx);
    const marked = tx.query(MARK_RELAY, [relayId]);
    const [, otherRelays, rows] = await Promise.all([locked, marked, take(tx)]);
    return { rows, takenOver: otherRelays.length > 0 };
  };
}
