import { ADVISORY_LOCKS, PLANNING_LOCKS } from '@tieline/background';
import type { Tx } from '@tieline/platform/database';
import type { EventRow, TakenRow } from '../outbox-event.js';
import { MARK_RELAY, TAKE_EVENTS, TAKE_OF_SPACE } from '../outbox.statements.js';
import type { PlanningLimit } from './planning-limit.js';
import { nodeOf, nodesAbove, slotsOf } from './shard.js';
import type { Shard } from './shard.js';
import { MARK_SLOTS, TAKE_OF_SPACE_BY_SLOT, takeOfShard } from './shard.statements.js';

/** The server ends a leader's session after this many idle milliseconds inside a transaction. */
const FROZEN_MS = '5000';
/**
 * Limits how long a leader that is frozen inside a transaction keeps the lock from its successor.
 */
const GIVEN_UP_SOON = "set_config('idle_in_transaction_session_timeout', $1, true)";

/** The part of the outbox that a relay plans from: all of it or a shard. */
export interface OutboxPart {
  /** Runs the work of one transaction within this process's limit. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until no other transaction plans for spaces of this part, and prevents others until the
   * transaction ends. Must be its first statement.
   */
  lock(tx: Tx): Promise<unknown>;
  /**
   * Records which relay plans.
   * @returns whether another relay has planned for spaces of this part since
   */
  mark(tx: Tx, relayId: string): Promise<boolean>;
  /**
   * Takes at most `size` events after the id `from`, oldest first, except those of the spaces
   * `excluded`.
   */
  take(tx: Tx, size: number, from: number, excluded: string[]): Promise<TakenRow[]>;
  /** Takes at most `size` events of one space after the id `from`, oldest first. */
  takeOf(tx: Tx, spaceId: string, size: number, from: number): Promise<EventRow[]>;
}

/** The whole outbox, for a relay without shards. */
export const WHOLE_OUTBOX: OutboxPart = {
  run: (work) => work(),
  lock: (tx) =>
    tx.query(`SELECT ${GIVEN_UP_SOON}, pg_advisory_xact_lock($2)`, [FROZEN_MS, ADVISORY_LOCKS.planning]),
  mark: async (tx, relayId) => (await tx.query(MARK_RELAY, [relayId])).length > 0,
  take: (tx, size, from, excluded) => tx.query(TAKE_EVENTS, [size, from, excluded]),
  takeOf: (tx, spaceId, size, from) => tx.query(TAKE_OF_SPACE, [spaceId, size, from]),
};

/**
 * One of several shards. Its transactions hold the shard's lock exclusively, and the locks of all
 * larger shards that contain it in shared mode, up to the whole outbox. Two transactions therefore
 * never plan for the same space, even if processes with another number of shards or of an older
 * version run at the same time.
 */
export class OutboxShard implements OutboxPart {
  private readonly lockText: string;
  private readonly taking: ReturnType<typeof takeOfShard>;
  private readonly slots: { first: number; last: number };
  /** When a relay last planned for all slots, as far as this process knows. */
  private whole: string | null | undefined;

  /**
   * @param limit shared by all shards of this process. A planning transaction takes one connection,
   * sometimes a second one.
   */
  constructor(
    shard: Shard,
    private readonly limit: PlanningLimit,
  ) {
    // Locks are taken from the largest shard to the smallest in all transactions, which prevents
    // deadlocks.
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

  take(tx: Tx, size: number, from: number, excluded: string[]): Promise<TakenRow[]> {
    return tx.query(this.taking, [size, from, excluded]);
  }

  takeOf(tx: Tx, spaceId: string, size: number, from: number): Promise<EventRow[]> {
    return tx.query(TAKE_OF_SPACE_BY_SLOT, [spaceId, size, from]);
  }
}
