import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord } from '../outbox-event.js';
import { PLANNING_BUDGET } from '../fairness/planning-budget.js';

/**
 * Maximum number of deliveries that one transaction plans of an event while several spaces are
 * active: about 10 ms of work, for which the events of the others wait.
 */
const SHARED_PART = 64;

/** What a transaction plans of its only event. */
interface EventPart {
  /** Maximum number of deliveries. */
  size: number;
  /** Id of the last target, if the event has more. */
  cursor: string | undefined;
}

const PARTS = new WeakMap<Tx, EventPart>();

/**
 * Makes {@link partOf} return only a part of the targets in this transaction, which has one event.
 */
export function planInParts(tx: Tx, isShared: boolean): void {
  PARTS.set(tx, { size: isShared ? SHARED_PART : PLANNING_BUDGET.rows, cursor: undefined });
}

/**
 * Returns the targets of an event that this transaction plans: those after the event's cursor, in
 * the order of their ids. The relay gives the rest further transactions, before the later events of
 * the space. Only for subscribers that plan in parts.
 */
export function partOf<Target extends { id: string }>(
  tx: Tx,
  { cursor }: OutboxRecord,
  targets: readonly Target[],
): readonly Target[] {
  const part = PARTS.get(tx);
  const size = part?.size ?? Infinity;
  if (cursor === undefined && targets.length <= size) return targets;
  const left = targets.filter(({ id }) => cursor === undefined || id > cursor);
  left.sort((a, b) => (a.id < b.id ? -1 : 1));
  const planned = left.slice(0, size);
  if (part && planned.length < left.length) part.cursor = planned.at(-1)?.id;
  return planned;
}

/** Returns the cursor of the transaction's event, or undefined if nothing of it is left to plan. */
export function cursorAfter(tx: Tx): string | undefined {
  return PARTS.get(tx)?.cursor;
}
