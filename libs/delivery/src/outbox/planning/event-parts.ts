import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord } from '../outbox-event.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import { PLANNING_BUDGET } from '../fairness/planning-budget.js';

/**
 * Maximum number of targets for which one transaction plans an event while several spaces are
 * active: about 10 ms of work, for which the events of the others wait.
 */
const SHARED_PART = 64;

const PARTS = new WeakMap<Tx, EventPart>();

/**
 * What one transaction plans of a large event. Subscribers that plan in parts do so one after the
 * other. The cursor of the event names the one whose targets come next, and its last target.
 */
export class EventPart {
  /** Where the next part starts. Undefined if nothing is left to plan. */
  cursor: string | undefined;
  private subscriber = '';

  private constructor(private left: number) {}

  /**
   * Starts the part that a transaction plans.
   * @param events number of events. Several are never divided.
   * @param isShared whether several spaces are active
   */
  static in(tx: Tx, events: number, isShared: boolean): EventPart {
    const size = isShared ? SHARED_PART : PLANNING_BUDGET.rows;
    const part = new EventPart(events === 1 ? size : Infinity);
    PARTS.set(tx, part);
    return part;
  }

  /** Notes which subscriber plans next. */
  begin({ name }: OutboxSubscriber): void {
    this.subscriber = name;
  }

  /** Returns the first of these targets, as many as fit. */
  take<Target extends { id: string }>(targets: readonly Target[]): readonly Target[] {
    const taken = targets.slice(0, this.left);
    this.left -= taken.length;
    if (taken.length < targets.length) this.cursor = `${this.subscriber}/${taken.at(-1)?.id ?? ''}`;
    return taken;
  }
}

/**
 * Returns the targets of an event that this transaction plans: those after its cursor, in the order
 * of their ids. The relay gives the rest further transactions, before the later events of the
 * space. Only for subscribers with `plansInParts`. Call it once per event.
 */
export function partOf<Target extends { id: string }>(
  tx: Tx,
  { cursor = '' }: OutboxRecord,
  targets: readonly Target[],
): readonly Target[] {
  const left = targets.filter(({ id }) => id > cursor);
  left.sort((a, b) => (a.id < b.id ? -1 : 1));
  return PARTS.get(tx)?.take(left) ?? left;
}

/** An event of the outbox, with the cursor of its last part. */
export interface ReadEvent {
  record: OutboxRecord;
  planCursor: string | null;
}

/**
 * Returns the events that a subscriber gets. After the first part of an event, these are the
 * subscriber that its cursor names and the later ones that plan in parts.
 * @param subscribers all of them, in their order
 */
export function recordsFor(
  subscriber: OutboxSubscriber,
  subscribers: readonly OutboxSubscriber[],
  events: readonly ReadEvent[],
): OutboxRecord[] {
  return events.flatMap(({ record, planCursor }) => {
    if (planCursor === null) return record;
    if (!subscriber.plansInParts) return [];
    const [name, cursor] = planCursor.split('/');
    const [own, next] = [subscribers.indexOf(subscriber), subscribers.findIndex((one) => one.name === name)];
    if (own < next) return [];
    return own === next ? { ...record, cursor } : record;
  });
}
