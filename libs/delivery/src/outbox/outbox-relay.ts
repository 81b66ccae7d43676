import { Loop } from '@tieline/background';
import type { Db, DueChecks } from '@tieline/platform/database';
import type { DirectBatch } from '../engine/direct/direct-batch.js';
import { BatchPlanner } from './planning/batch-planner.js';
import { takeBy, takeNext } from './planning/take-events.js';
import type { TakeEvents } from './planning/take-events.js';
import { NoisySpaces } from './fairness/noisy-spaces.js';
import type { NoisyTurn } from './fairness/noisy-spaces.js';
import { HeldSpaces } from './fairness/held-spaces.js';
import { RegularLowWater } from './fairness/regular-low-water.js';
import { LowWaterMark } from './low-water-mark.js';
import { sortById } from './outbox-event.js';
import type { EventRow } from './outbox-event.js';
import type { OutboxSubscriber } from './outbox-subscriber.js';
import type { PayloadReader } from './payload-reader.js';
import { EVENTS_ARE_WAITING, SET_ASIDE, TAKE_OF_SPACE, TAKE_THESE_EVENTS } from './outbox.statements.js';
import { fairPart, OverBudget } from './fairness/planning-budget.js';
import { Unplannable } from './planning/planning-failures.js';
import { quarantine } from './planning/quarantine.js';
import type { RelayEvents } from './relay-events.js';
import type { RelayLeadership } from './relay-leadership.js';
import { SchemaMismatchDetector } from './schema-mismatch-detector.js';

const BATCH = 500;
/**
 * Maximum number of transactions for finding events that can't be planned, about a fraction of a
 * second. After that their spaces are held.
 */
const QUARANTINE_BUDGET = 64;
/** Batch size of a held space. All its faulty events can be found within the budget. */
const HELD_BATCH = 32;
/** First pause after a transient failure. It doubles with each further failure. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 1000;

/** The result of a batch. */
interface RelayResult<Row> {
  count: number;
  /** The events, if all of them were planned in one transaction. */
  whole?: Row[];
}

/**
 * Moves events from the outbox to the subscribers in order, one batch per transaction. An event
 * leaves the outbox in the transaction that writes what subscribers plan for it. One process leads,
 * the others are standbys.
 */
export class OutboxRelay {
  private readonly planner: BatchPlanner;
  private readonly loop = new Loop(() => this.relayWhenLeading(), {
    retryMs: (failures) => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LAST_PAUSE_MS),
  });
  private readonly lowWater = new LowWaterMark();
  private readonly regular = new RegularLowWater(this.lowWater);
  private readonly held = new HeldSpaces((count) => this.events.held?.(count));
  private readonly noisy = new NoisySpaces();
  private readonly schema = new SchemaMismatchDetector();
  private started = false;
  private batchSize = BATCH;
  /** Whether the outbox had more events after the last batch. */
  private mayBeMore = false;

  constructor(
    private readonly db: Db,
    private readonly leadership: RelayLeadership,
    private readonly events: RelayEvents = {},
    reader: PayloadReader = { read: ({ payload }) => payload },
  ) {
    this.planner = new BatchPlanner(db, this.schema, events, reader);
  }

  /**
   * Sets the check for spaces that already fill their share of a lane. Planning more of their
   * events can wait while other spaces are active.
   */
  setFillingCheck(isFilling: (spaceId: string) => boolean): void {
    this.noisy.setFillingCheck(isFilling);
  }

  /** Sets how transactions begin whose deliveries this process may send without a claim. */
  setDirect(begin: () => DirectBatch | undefined): void {
    this.planner.setDirect(begin);
  }

  /**
   * Adds a subscriber. Call it before `start`. Subscribers plan in the order in which they were
   * added.
   */
  subscribe(subscriber: OutboxSubscriber): void {
    if (this.started) throw new Error('subscribers must be added before the relay starts');
    this.planner.subscribe(subscriber);
  }

  /** Finds events that no wake-up reported. */
  checkWith(checks: DueChecks): void {
    let from = 0;
    const values = (): number[] => [(from = this.lowWater.peek(performance.now()))];
    checks.register({ statement: EVENTS_ARE_WAITING, values }, (due) => {
      if (due) this.wake();
      else this.lowWater.wasEmpty(from, performance.now());
    });
  }

  /** @param won called each time this process becomes the leader */
  start(won: () => void = () => undefined): void {
    this.started = true;
    this.leadership.start(() => {
      won();
      this.wake();
    });
  }

  /** Whether this process relays. */
  get leading(): boolean {
    return this.leadership.leading;
  }

  /** Relays now instead of at the next check. */
  wake(): void {
    this.loop.wake();
  }

  /**
   * Resolves when no batch is under way or requested, so that subscribers know of everything that
   * has left the outbox. Rows show a commit earlier than `committed` is called.
   */
  drain(): Promise<void> {
    return this.loop.drain();
  }

  /** Finishes the current batch and gives up the leadership. */
  async stop(): Promise<void> {
    this.noisy.close();
    await this.loop.stop();
    await this.leadership.stop();
  }

  /**
   * Relays one batch.
   * @param noisyPaused whether noisy spaces get no turn
   * @returns the number of events that left the outbox
   * @internal tests also call it to relay step by step
   */
  async relayBatch(noisyPaused = false): Promise<number> {
    try {
      const count = await this.relayNext(noisyPaused);
      this.batchSize = Math.min(BATCH, this.batchSize * 2);
      return count;
    } catch (error) {
      this.batchSize = Math.ceil(this.batchSize / 2);
      this.events.failed?.(error);
      throw error;
    }
  }

  /** @returns whether more events were waiting. Later commits wake the relay again. */
  private async relayWhenLeading(): Promise<boolean> {
    if (!this.leadership.leading) return false;
    const count = await this.relayBatch(this.noisy.isPaused(() => this.wake()));
    return count > 0 && this.mayBeMore;
  }

  /** Spaces that are excluded from regular batches. */
  private get excluded(): string[] {
    return [...this.held.ids, ...this.noisy.ids];
  }

  private async relayNext(noisyPaused: boolean): Promise<number> {
    const size = this.batchSize;
    const excluded = this.excluded;
    const mark = this.regular.without(excluded);
    const { count, whole } = await this.relay(takeNext(size, mark.from(performance.now()), excluded));
    // Noisy spaces wake the relay when their pause ends.
    const areMoreExcluded = this.held.ids.length > 0 || (excluded.length > 0 && !noisyPaused);
    this.mayBeMore = !whole || count >= size || areMoreExcluded;
    if (whole) this.noisy.observeBatch(whole, count >= size);
    if (whole) mark.recordTaken(whole, count >= size);
    if (excluded.length === 0) return count;
    if (count > 0) this.noisy.noteOtherSpaces();
    const from = this.lowWater.from(performance.now());
    return count + (await this.relayHeld(from)) + (noisyPaused ? 0 : await this.relayNoisy(from));
  }

  /**
   * Relays a few events of a held space.
   * @returns the number of events
   */
  private async relayHeld(from: number): Promise<number> {
    const spaceId = this.held.next();
    if (spaceId === undefined) return 0;
    const { count, whole } = await this.relay(
      takeBy((tx) => tx.query(TAKE_OF_SPACE, [spaceId, HELD_BATCH, from])),
    );
    if (whole || count < HELD_BATCH) this.held.release(spaceId);
    return count;
  }

  /** Gives one noisy space its turn. A space without events passes its turn on. */
  private async relayNoisy(from: number): Promise<number> {
    for (let left = this.noisy.ids.length; left > 0; left -= 1) {
      const turn = this.noisy.nextTurn();
      const count = turn ? await this.relayTurn(turn, from) : 0;
      if (count > 0) return count;
    }
    return 0;
  }

  /** @returns the number of events relayed */
  private async relayTurn(turn: NoisyTurn, from: number): Promise<number> {
    const begun = performance.now();
    const { count, whole } = await this.relay(
      takeBy((tx) => tx.query(TAKE_OF_SPACE, [turn.spaceId, turn.size, from])),
    ).finally(() => this.noisy.turnEnded(turn.spaceId, performance.now() - begun));
    if (whole) this.noisy.turnPlanned(turn, count);
    return count;
  }

  /**
   * Plans the events taken, or the part that fits the budget, or finds those that can't be planned.
   */
  private async relay<Row extends EventRow>(take: TakeEvents<Row>): Promise<RelayResult<Row>> {
    let taken: Row[] = [];
    try {
      const isWhole = await this.planner.plan(async (tx, relayId) => {
        const found = await take(tx, relayId);
        taken = found.rows;
        return found;
      });
      if (!isWhole) this.continueInTurns(taken);
      if (taken.length > 0 && this.held.ids.length === 0) this.schema.reset();
      return { count: taken.length, ...(isWhole && { whole: taken }) };
    } catch (error) {
      if (error instanceof OverBudget) return { count: await this.relayPart(sortById(taken), error) };
      if (!(error instanceof Unplannable)) throw error;
      await this.findFaults(sortById(taken));
      return { count: taken.length };
    }
  }

  /** Plans the rest of a large event in turns of its space. */
  private continueInTurns(events: readonly EventRow[]): void {
    if (this.planner.isShared) this.noisy.noteOtherSpaces();
    for (const { spaceId } of events) if (!this.held.ids.includes(spaceId)) this.noisy.add(spaceId, 1);
  }

  /**
   * Plans a part of the batch that fits the budget. Heavy spaces get their turns afterwards.
   * @returns the number of events
   */
  private async relayPart(taken: EventRow[], { rows }: OverBudget): Promise<number> {
    const { isShared } = this.planner;
    const { part, heavy } = fairPart(taken, rows, isShared);
    if (isShared) this.noisy.noteOtherSpaces();
    const { count } = await this.relay(
      takeBy((tx) => tx.query(TAKE_THESE_EVENTS, [part.map(({ id }) => id)])),
    );
    const held = new Set(this.held.ids);
    for (const [spaceId, size] of heavy) if (!held.has(spaceId)) this.noisy.add(spaceId, size);
    // Without heavy spaces the next batch is likely to be similar.
    if (heavy.size === 0) this.batchSize = Math.min(this.batchSize, part.length);
    return count;
  }

  /** @throws SchemaMismatch if the schema is at fault and not the events */
  private async findFaults(taken: EventRow[]): Promise<void> {
    const work = { plan: (events: EventRow[]) => this.planEvents(events) };
    const begunAt = this.schema.epoch;
    const { faults, unfinished } = await quarantine(work, taken, QUARANTINE_BUDGET);
    this.held.hold(unfinished);
    for (const id of unfinished) this.noisy.remove(id);
    const { own, mismatch } = this.schema.classify(faults, begunAt);
    for (const { event, error } of own) await this.setAside(event.id, error);
    if (!mismatch) return;
    this.events.blocked?.(true);
    throw mismatch;
  }

  /** Plans the events in order, in as many transactions as the budget requires. */
  private async planEvents(events: EventRow[]): Promise<void> {
    try {
      const take = takeBy((tx) => tx.query(TAKE_THESE_EVENTS, [events.map(({ id }) => id)]));
      while (!(await this.planner.plan(take)));
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      const middle = Math.ceil(events.length / 2);
      for (const half of [events.slice(0, middle), events.slice(middle)]) await this.planEvents(half);
    }
  }

  private async setAside(id: number, reason: unknown): Promise<void> {
    const text = reason instanceof Error ? reason.message : String(reason);
    // Postgres text can't hold NUL.
    const [event] = await this.db.query(SET_ASIDE, [id, text.replaceAll('\0', '\uFFFD')]);
    if (event) this.events.rejected?.(event, reason);
  }
}
