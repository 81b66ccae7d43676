import { v7 as uuidv7 } from 'uuid';
import { CommitUnknown, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { planTraced } from '@tieline/platform/tracing';
import { ActiveKeys } from '@tieline/background';
import { planDirectly } from '../../engine/direct/current-batch.js';
import type { DirectBatch } from '../../engine/direct/direct-batch.js';
import { checkByteBudget, shareBudget } from '../fairness/planning-budget.js';
import { sortById, toRecord } from '../outbox-event.js';
import type { EventRow, OutboxRecord } from '../outbox-event.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import type { PayloadReader } from '../payload-reader.js';
import { planningIn } from './planning-failures.js';
import type { TakeEvents } from './take-events.js';
import type { RelayEvents } from '../relay-events.js';
import type { SchemaMismatchDetector } from '../schema-mismatch-detector.js';

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
   * Runs one planning transaction and notifies subscribers after its commit.
   * @throws Unplannable, OverBudget, CommitUnknown, and transient errors of the database
   */
  async plan(take: TakeEvents<EventRow>): Promise<void> {
    const begun = performance.now();
    const planning = runInWorkerTx(this.db, (tx) => this.planIn(tx, take));
    const records = await planning.catch((error: unknown) => {
      this.endDirect(error instanceof CommitUnknown ? 'unknown' : 'rolled back');
      // After a rollback subscribers forget the batch. If the commit's outcome is unknown, they
      // reset.
      if (error instanceof CommitUnknown) this.reset();
      else for (const subscriber of this.subscribers) subscriber.rolledBack?.();
      throw error;
    });
    this.endDirect('committed');
    if (records.length === 0) return;
    this.schema.confirmHealthy();
    this.events.blocked?.(false);
    this.notifySubscribers(records, performance.now() - begun);
  }

  private async planIn(tx: Tx, take: TakeEvents<EventRow>): Promise<OutboxRecord[]> {
    const { rows, takenOver } = await take(tx, this.relayId);
    if (takenOver) this.reset();
    if (rows.length === 0) return [];
    for (const { spaceId } of rows) this.active.note(spaceId);
    checkByteBudget(rows);
    let records: OutboxRecord[] = [];
    const plan = async (): Promise<void> => {
      records = sortById(rows).map((row) => this.read(row));
      for (const subscriber of this.subscribers) await subscriber.plan(tx, records);
    };
    // A transaction that the server aborted is repeated.
    this.endDirect('rolled back');
    this.direct = this.beginDirect();
    if (this.direct) planDirectly(tx, this.direct);
    if (this.isShared) shareBudget(tx, rows);
    await planTraced(rows, () => planningIn(tx, plan));
    return records;
  }

  private endDirect(outcome: 'committed' | 'unknown' | 'rolled back'): void {
    const { direct } = this;
    this.direct = undefined;
    if (outcome === 'rolled back') direct?.release();
    else direct?.send(outcome === 'committed');
  }

  private read(row: EventRow): OutboxRecord {
    const stored = toRecord(row);
    return { ...stored, payload: this.reader.read(stored) };
  }

  private notifySubscribers(records: OutboxRecord[], durationMs: number): void {
    for (const subscriber of this.subscribers) {
      try {
        subscriber.committed?.(records);
      } catch (error) {
        this.events.failed?.(error);
      }
    }
    this.events.relayed?.(records.length, durationMs);
  }

  private reset(): void {
    for (const subscriber of this.subscribers) subscriber.reset?.();
  }
}
