import { ADVISORY_LOCKS, PLANNING_LOCKS } from '@tieline/background';
import type { Tx } from '@tieline/platform/database';
import type { EventRow, TakenRow } from '../outbox-event.js';
import { MARK_RELAY, TAKE_EVENTS, TAKE_OF_SPACE } from '../outbox.statements.js';
import type { PlanningLimit } from './planning-limit.js';
import { nodeOf, nodesAbove, slotsOf } from './shard.js';
import type { Shard } from './shard.js';
import { MARK_SLOTS, TAKE_OF_SPACE_BY_SLOT, takeOfShard } from './shard.statements.js';

/**
 * A leader that says nothing inside its transaction for so many milliseconds is given up by the
 * server.
 */
const FROZEN_MS = '5000';
/**
 * A leader that is frozen inside the transaction keeps the lock from its successor until this time
 * is up.
 */
const GIVEN_UP_SOON = "set_config('idle_in_transaction_session_timeout', $1, true)";

/** What a relay plans from: all of the outbox, or a shard of it. */
export interface OutboxPart {
  /** Does the work of one transaction, once this process has room for it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until nobody else plans for any space of this part, and keeps it so to the end of the
   * transaction; its first statement.
   */
  lock(tx: Tx): Promise<unknown>;
  /** Notes who plans. @returns whether somebody else has planned for spaces of this part since */
  mark(tx: Tx, relayId: string): Promise<boolean>;
  /** Takes at most so many events, the oldest behind an id, but of no space among `apart`. */
  take(tx: Tx, size: number, from: number, apart: string[]): Promise<TakenRow[]>;
  /** Takes at most so many events of one space, the oldest behind an id. */
  takeOf(tx: Tx, spaceId: string, size: number, from: number): Promise<EventRow[]>;
}

/** What a relay plans from that shares the outbox with none. */
export const WHOLE_OUTBOX: OutboxPart = {
  run: (work) => work(),
  lock: (tx) =>
    tx.query(`SELECT ${GIVEN_UP_SOON}, pg_advisory_xact_lock($2)`, [FROZEN_MS, ADVISORY_LOCKS.planning]),
  mark: async (tx, relayId) => (await tx.query(MARK_RELAY, [relayId])).length > 0,
  take: (tx, size, from, apart) => tx.query(TAKE_EVENTS, [size, from, apart]),
  takeOf: (tx, spaceId, size, from) => tx.query(TAKE_OF_SPACE, [spaceId, size, from]),
};

/**
 * One of several shards. Its transactions hold the lock of the shard, and with others the locks of
 * all shards that it lies in, up to the one of the whole outbox: so two transactions never plan for
 * the same space, also when processes with another number of shards run beside them, or those of an
 * older version.
 */
export class OutboxShard implements OutboxPart {
  private readonly lockText: string;
  private readonly taking: ReturnType<typeof takeOfShard>;
  private readonly slots: { first: number; last: number };
  /** When somebody planned for all slots at last, as far as this process knows. */
  private whole: string | null | undefined;

  /**
   * @param places of all shards of this process: a transaction of planning takes a connection, and
   * perhaps one more
   */
  constructor(
    shard: Shard,
    private readonly limit: PlanningLimit,
  ) {
    // From the largest to the smallest, in everybody's transactions: nobody waits in a circle.
    const shared = nodesAbove(shard).map(
      (node) => `pg_advisory_xact_lock_shared(${PLANNING_LOCKS}, ${node})`,
    );
    const own = `pg_advisory_xact_lock(${PLANNING_LOCKS}, ${nodeOf(shard)})`;
    this.lockText = `SELECT ${[GIVEN_UP_SOON, `pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.planning})`, ...shared, own].join(', ')}`;
    this.taking = takeOfShard(shard);
    this.slots = slotsOf(shard);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.limit.run(work);
  }

  lock(tx: Tx): Promise<unknown> {
    return tx.query(this.lockText, [FROZEN_MS]);
  }

  async mark(tx: Tx, relayId: string): Promise<boolean> {
    const [seen] = await tx.query(MARK_SLOTS, [relayId, this.slots.first, this.slots.last]);
    if (!seen) throw new Error('the table outbox_relay has lost its row');
    const isForeign = seen.others > 0 || seen.whole !== this.whole;
    this.whole = seen.whole;
    return isForeign;
  }

  take(tx: Tx, size: number, from: number, apart: string[]): Promise<TakenRow[]> {
    return tx.query(this.taking, [size, from, apart]);
  }

  takeOf(tx: Tx, spaceId: string, size: number, from: number): Promise<EventRow[]> {
    return tx.query(TAKE_OF_SPACE_BY_SLOT, [spaceId, size, from]);
  }
}
