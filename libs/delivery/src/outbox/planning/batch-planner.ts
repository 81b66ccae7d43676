import { uuidv7 } from 'uuidv7';
import { CommitUnknown, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { planTraced } from '@tieline/platform/tracing';
import { ActiveKeys } from '@tieline/background';
import { planDirectly } from '../../engine/direct/current-batch.js';
import type { DirectBatch } from '../../engine/direct/direct-batch.js';
import { checkByteBudget, setBatch } from '../fairness/planning-budget.js';
import { sortById, toRecord } from '../outbox-event.js';
import type { EventRow, OutboxRecord } from '../outbox-event.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import type { PayloadReader } from '../payload-reader.js';
import { planningIn } from './planning-failures.js';
import type { TakeEvents } from './take-events.js';
import { EventPart, recordsFor } from './event-parts.js';
import type { ReadEvent } from './event-parts.js';
import { INSERT_UNFINISHED } from '../outbox.statements.js';
import type { RelayEvents } from '../relay-events.js';
import type { SchemaMismatchDetector } from '../schema-mismatch-detector.js';

/** The result of a planning transaction. */
interface PlannedBatch {
  /** Number of events taken. */
  count: number;
  /** The subscribers with the events that they got. Some get none of a part. */
  planned: [OutboxSubscriber, OutboxRecord[]][];
  /** Whether nothing of its events is left to plan. */
  isWhole: boolean;
}

/** Plans events with all subscribers, in one transaction per batch. */
export class BatchPlanner {
  private readonly relayId = uuidv7();
  private readonly subscribers: OutboxSubscriber[] = [];
  private readonly active = new ActiveKeys();
  private beginDirect: () => DirectBatch | undefined = () => undefined;
  private direct: DirectBatch | undefined;

  constructor(
    private readonly db: Db,
    private readonly schema: SchemaMismatchDetector,
    private readonly events: RelayEvents,
    private readonly reader: PayloadReader,
  ) {}

  /** Whether several spaces had events within the last second. */
  get isShared(): boolean {
    return this.active.areSeveral();
  }

  /** Sets how transactions begin whose deliveries this process may send without a claim. */
  setDirect(begin: () => DirectBatch | undefined): void {
    this.beginDirect = begin;
  }

  /** Adds a subscriber. Subscribers plan in the order in which they were added. */
  subscribe(subscriber: OutboxSubscriber): void {
    this.subscribers.push(subscriber);
  }

  /**
   * Runs one planning transaction and notifies subscribers after its commit. Plans a part of a
   * single large event.
   * @returns whether everything taken is planned. Otherwise the only event is back in the outbox.
   * @throws Unplannable, OverBudget, CommitUnknown, and transient errors of the database
   */
  async plan(take: TakeEvents<EventRow>): Promise<boolean> {
    const begun = performance.now();
    const planning = runInWorkerTx(this.db, (tx) => this.planIn(tx, take));
    const { count, planned, isWhole } = await planning.catch((error: unknown) => {
      this.endDirect(error instanceof CommitUnknown ? 'unknown' : 'rolled back');
      // After a rollback subscribers forget the batch. If the commit's outcome is unknown, they
      // reset.
      if (error instanceof CommitUnknown) this.reset();
      else for (const subscriber of this.subscribers) subscriber.rolledBack?.();
      throw error;
    });
    this.endDirect('committed');
    if (count === 0) return true;
    this.schema.confirmHealthy();
    this.events.blocked?.(false);
    this.notifySubscribers(planned);
    this.events.relayed?.(isWhole ? count : 0, performance.now() - begun);
    return isWhole;
  }

  private async planIn(tx: Tx, take: TakeEvents<EventRow>): Promise<PlannedBatch> {
    const { rows, takenOver } = await take(tx, this.relayId);
    if (takenOver) this.reset();
    const [first] = rows;
    if (!first) return { count: 0, planned: [], isWhole: true };
    for (const { spaceId } of rows) this.active.note(spaceId);
    checkByteBudget(rows);
    const planned: PlannedBatch['planned'] = [];
    const part = EventPart.in(tx, rows.length, this.isShared);
    const plan = async (): Promise<void> => {
      const events = sortById(rows).map((row) => this.read(row));
      for (const subscriber of this.subscribers) {
        const isLater = subscriber.plansInParts && part.cursor !== undefined;
        const given = isLater ? [] : recordsFor(subscriber, this.subscribers, events);
        part.begin(subscriber);
        if (given.length > 0) await subscriber.plan(tx, given);
        planned.push([subscriber, given]);
      }
    };
    // A transaction that the server aborted is repeated.
    this.endDirect('rolled back');
    this.direct = this.beginDirect();
    if (this.direct) planDirectly(tx, this.direct);
    setBatch(tx, rows, this.isShared);
    await planTraced(rows, () => planningIn(tx, plan));
    const { cursor: planCursor } = part;
    if (planCursor !== undefined) await tx.query(INSERT_UNFINISHED, { ...first, planCursor });
    return { count: rows.length, planned, isWhole: planCursor === undefined };
  }

  private endDirect(outcome: 'committed' | 'unknown' | 'rolled back'): void {
    const { direct } = this;
    this.direct = undefined;
    if (outcome === 'rolled back') direct?.release();
    else direct?.send(outcome === 'committed');
  }

  private read(row: EventRow): ReadEvent {
    const stored = toRecord(row);
    return { record: { ...stored, payload: this.reader.read(stored) }, planCursor: row.planCursor };
  }

  private notifySubscribers(planned: PlannedBatch['planned']): void {
    for (const [subscriber, records] of planned) {
      try {
        subscriber.committed?.(records);
      } catch (error) {
        this.events.failed?.(error);
      }
    }
  }

  private reset(): void {
    for (const subscriber of this.subscribers) subscriber.reset?.();
  }
}
