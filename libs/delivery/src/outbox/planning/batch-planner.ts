import { v7 as uuidv7 } from 'uuid';
import { CommitUnknown, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { planTraced } from '@tieline/platform/tracing';
import { ActiveSpaces } from '../../active-spaces.js';
import { checkByteBudget, runWithBudget } from '../fairness/planning-budget.js';
import { sortById, toRecord } from '../outbox-event.js';
import type { EventRow, OutboxRecord } from '../outbox-event.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import { planningIn } from './planning-failures.js';
import type { RelayEvents } from '../relay-events.js';
import type { SchemaMismatchDetector } from '../schema-mismatch-detector.js';
import type { OutboxPart } from '../shards/outbox-part.js';

/** Takes events from the outbox in the planning transaction. */
export type TakeEvents<Row extends EventRow> = (tx: Tx) => Promise<Row[]>;

/** Plans events with all subscribers, in one transaction per batch. */
export class BatchPlanner {
  private readonly relayId = uuidv7();
  private readonly subscribers: OutboxSubscriber[] = [];
  private readonly active = new ActiveSpaces();

  constructor(
    private readonly db: Db,
    private readonly part: OutboxPart,
    private readonly schema: SchemaMismatchDetector,
    private readonly events: RelayEvents,
  ) {}

  /** Whether several spaces had events within the last second. */
  get isShared(): boolean {
    return this.active.areSeveral();
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
    const planning = this.part.run(() => runInWorkerTx(this.db, (tx) => this.planIn(tx, take)));
    const records = await planning.catch((error: unknown) => {
      // After a rollback subscribers forget the batch. If the commit's outcome is unknown, they
      // reset.
      if (error instanceof CommitUnknown) this.reset();
      else for (const subscriber of this.subscribers) subscriber.rolledBack?.();
      throw error;
    });
    if (records.length === 0) return;
    this.schema.confirmHealthy();
    this.events.blocked?.(false);
    this.notifySubscribers(records, performance.now() - begun);
  }

  private async planIn(tx: Tx, take: TakeEvents<EventRow>): Promise<OutboxRecord[]> {
    // Sent together with BEGIN. The claim's snapshot is taken after the lock is acquired.
    const locked = this.part.lock(tx);
    const [, isForeign, rows] = await Promise.all([locked, this.part.mark(tx, this.relayId), take(tx)]);
    if (isForeign) this.reset();
    if (rows.length === 0) return [];
    for (const { space_id: spaceId } of rows) this.active.note(spaceId);
    checkByteBudget(rows);
    let records: OutboxRecord[] = [];
    const plan = async (): Promise<void> => {
      records = sortById(rows).map(toRecord);
      for (const subscriber of this.subscribers) await subscriber.plan(tx, records);
    };
    await planTraced(rows, () => runWithBudget(rows, this.isShared, () => planningIn(tx, plan)));
    return records;
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
