import { v7 as uuidv7 } from 'uuid';
import { ADVISORY_LOCKS, Loop } from '@tieline/platform/background';
import { runInTx } from '@tieline/platform/database';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import type { RelayLeadership } from './relay-leadership.js';
import type { OutboxRecord } from './outbox-event.js';
import { MARK_RELAY, SET_FIRST_ASIDE, TAKE_EVENTS } from './outbox.statements.js';

/** A feature that turns committed events into rows of its own (deliveries, poll records) or into live fan-out. */
export interface OutboxSubscriber {
  readonly name: string;
  /**
   * Plans what follows from a batch of up to 500 events, in order, inside the relay's transaction: set-based, a handful
   * of statements per batch, no I/O but the database. A rejected promise rolls the batch back.
   */
  plan(tx: Tx, records: OutboxRecord[]): Promise<void>;
  /** After the commit, in order: for live fan-out. It must not throw. */
  committed?(records: OutboxRecord[]): void;
  /** Another relay has worked since, or a batch was rolled back: drop what was cached. */
  reset?(): void;
}

/** What happens inside the relay, for logs and metrics. */
export interface RelayEvents {
  relayed?(count: number, durationMs: number): void;
  failed?(error: unknown): void;
  /** An event was set aside because no subscriber could plan it. */
  rejected?(record: { id: number; type: string }, error: unknown): void;
}

const BATCH = 500;
/** Nobody needs to wake the relay: it looks by itself this often. */
const IDLE_MS = 1000;
const FAILURE_PAUSE_MS = 250;
/** An event that fails alone so often is set aside, so that it doesn't hold up all others. */
const MAX_TRIES = 5;

/**
 * Moves events from the outbox to the subscribers, in order, one batch per transaction (T2): the events leave the
 * outbox in the same transaction that writes what follows from them. One process leads; the others stand by.
 */
export class OutboxRelay {
  private readonly id = uuidv7();
  private readonly subscribers: OutboxSubscriber[] = [];
  private readonly loop = new Loop(() => this.relayWhenLeading(), {
    everyMs: IDLE_MS,
    retryMs: FAILURE_PAUSE_MS,
  });
  private started = false;
  private batchSize = BATCH;
  private tries = 0;

  constructor(
    private readonly db: Db,
    private readonly leadership: RelayLeadership,
    private readonly events: RelayEvents = {},
  ) {}

  /** Adds a subscriber; before `start`. Subscribers plan in the order in which they were added. */
  subscribe(subscriber: OutboxSubscriber): void {
    if (this.started) throw new Error('the relay has started');
    this.subscribers.push(subscriber);
  }

  start(): void {
    this.started = true;
    this.loop.start();
    this.leadership.start(() => this.wake());
  }

  /** Whether this process is the one that relays. */
  get leading(): boolean {
    return this.leadership.leading;
  }

  /** There may be events: look now. */
  wake(): void {
    this.loop.wake();
  }

  /** Finishes the batch in hand and gives the leadership up. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leadership.stop();
  }

  /**
   * Relays one batch. @returns how many events left the outbox
   * @internal also used by tests to step by hand
   */
  async relayBatch(): Promise<number> {
    const begun = performance.now();
    try {
      const records = await this.planBatch(this.batchSize);
      this.tries = 0;
      this.batchSize = Math.min(BATCH, this.batchSize * 2);
      if (records.length > 0) this.tell(records, performance.now() - begun);
      return records.length;
    } catch (error) {
      this.reset();
      this.events.failed?.(error);
      if (this.batchSize === 1 && !isPassing(error)) await this.giveUpOn(error);
      this.batchSize = 1;
      throw error;
    }
  }

  /** @returns whether there may be more */
  private async relayWhenLeading(): Promise<boolean> {
    return this.leadership.leading && (await this.relayBatch()) > 0;
  }

  private async planBatch(limit: number): Promise<OutboxRecord[]> {
    return runInTx(this.db, async (tx) => {
      // Sent together with BEGIN; the claim's snapshot is taken after the lock is ours.
      const locked = tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.planning]);
      const marked = tx.query(MARK_RELAY, [this.id]);
      const claimed = tx.query(TAKE_EVENTS, [limit]);
      const [, mark, rows] = await Promise.all([locked, marked, claimed]);
      if (mark.length > 0) this.reset();
      const records = rows.sort((a, b) => a.id - b.id).map(toRecord);
      if (records.length > 0) for (const subscriber of this.subscribers) await subscriber.plan(tx, records);
      return records;
    });
  }

  private tell(records: OutboxRecord[], durationMs: number): void {
    for (const subscriber of this.subscribers) {
      try {
        subscriber.committed?.(records);
      } catch (error) {
        this.events.failed?.(error);
      }
    }
    this.events.relayed?.(records.length, durationMs);
  }

  /** The first event failed on its own, again: after some tries it is set aside, with the reason. */
  private async giveUpOn(error: unknown): Promise<void> {
    this.tries += 1;
    if (this.tries < MAX_TRIES) return;
    this.tries = 0;
    const text = error instanceof Error ? error.message : String(error);
    const [row] = await this.db.query(SET_FIRST_ASIDE, [text]);
    if (row) this.events.rejected?.(row, error);
  }

  private reset(): void {
    for (const subscriber of this.subscribers) subscriber.reset?.();
  }
}

/** Faults of the connection or the server say nothing about the event. */
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(08|53|57|40|55)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    /Connection terminated/i.test(String((error as Error).message))
  );
}

function toRecord(row: RowOf<typeof TAKE_EVENTS>): OutboxRecord {
  return {
    id: row.id,
    eventId: row.event_id,
    spaceId: row.space_id,
    type: row.type,
    payload: JSON.parse(row.payload) as unknown,
  };
}
