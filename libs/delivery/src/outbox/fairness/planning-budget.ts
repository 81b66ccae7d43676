import type { Tx } from '@tieline/platform/database';

/**
 * Limits of one planning transaction with more than one event. Other spaces wait until it ends.
 */
export const PLANNING_BUDGET = { rows: 1000, bytes: 8 * 1024 * 1024 } as const;
/** A space that would use more than this fraction of a budget is heavy. */
const HEAVY = 0.25;

/** A batch exceeds the budget and must be planned in parts. */
export class OverBudget extends Error {
  /** @param rows number of rows to write per event id */
  constructor(readonly rows: ReadonlyMap<string, number>) {
    super('more follows from the batch than one transaction may write');
  }
}

interface Batch {
  events: readonly WeighedEvent[];
  isShared: boolean;
}
/** The batches of planning transactions. */
const BATCHES = new WeakMap<Tx, Batch>();

/**
 * Sets what {@link checkRowBudget} checks in this transaction.
 * @param isShared whether several spaces had events recently. A heavy space is then refused,
 * because it is planned alone.
 */
export function setBatch(tx: Tx, events: readonly WeighedEvent[], isShared: boolean): void {
  BATCHES.set(tx, { events, isShared });
}

/**
 * Checks the rows that a subscriber is about to write. Subscribers call it in `plan`, before they
 * do the work.
 * @param rows number of rows per event id
 * @throws OverBudget if the batch is too large. The relay retries with fewer events, finally with
 * one, which is never too large.
 */
export function checkRowBudget(tx: Tx, rows: ReadonlyMap<string, number>): void {
  const batch = BATCHES.get(tx);
  if (batch?.events.length === 1) return;
  const sum = [...rows.values()].reduce((all, one) => all + one, 0);
  if (rows.size > 1 && sum > PLANNING_BUDGET.rows) throw new OverBudget(rows);
  if (batch?.isShared && hasHeavySpace(batch.events, rows)) throw new OverBudget(rows);
}

function hasHeavySpace(events: readonly WeighedEvent[], rows: ReadonlyMap<string, number>): boolean {
  const ofSpaces = new Map<string, number>();
  for (const { spaceId, eventId } of events)
    ofSpaces.set(spaceId, (ofSpaces.get(spaceId) ?? 0) + (rows.get(eventId) ?? 0));
  return Math.max(...ofSpaces.values()) > HEAVY * PLANNING_BUDGET.rows;
}

/** An event with what the budget needs to know of it. */
interface WeighedEvent {
  eventId: string;
  spaceId: string;
  payload: string;
}

/** @throws OverBudget if the payloads of the batch are too large */
export function checkByteBudget(events: readonly WeighedEvent[]): void {
  const sum = events.reduce((all, { payload }) => all + payload.length, 0);
  if (events.length > 1 && sum > PLANNING_BUDGET.bytes) throw new OverBudget(new Map());
}

/** The part of a batch that fits the budget. */
export interface FairPart<E> {
  part: E[];
  /** Heavy spaces that have events left, and how many of their events fit the budget. */
  heavy: Map<string, number>;
}

/**
 * Returns the part of a batch to plan first: one event of each space in turn, each space's events
 * in their order. While several spaces are active, the part contains no events of heavy spaces. If
 * all are heavy, it contains at most {@link HEAVY} of the budget.
 */
export function fairPart<E extends WeighedEvent>(
  events: readonly E[],
  rows: ReadonlyMap<string, number>,
  isShared = false,
): FairPart<E> {
  const lines = new Map<string, E[]>();
  for (const event of events) lines.set(event.spaceId, [...(lines.get(event.spaceId) ?? []), event]);
  const cost = ({ eventId, payload }: E): number =>
    Math.max((rows.get(eventId) ?? 0) / PLANNING_BUDGET.rows, payload.length / PLANNING_BUDGET.bytes);
  const heavy = new Map<string, number>();
  for (const [spaceId, line] of lines)
    if (line.reduce((all, one) => all + cost(one), 0) > HEAVY) heavy.set(spaceId, countFitting(line, cost));
  const light = new Map([...lines].filter(([spaceId]) => !heavy.has(spaceId)));
  if (isShared && light.size > 0) return { part: takeInTurns(light, cost, 1), heavy };
  const part = takeInTurns(lines, cost, isShared ? HEAVY : 1);
  const planned = new Set(part);
  for (const spaceId of [...heavy.keys()])
    if (lines.get(spaceId)?.every((event) => planned.has(event))) heavy.delete(spaceId);
  return { part, heavy };
}

/** Returns how many events from the beginning of a line fit the budget. */
function countFitting<E>(line: readonly E[], cost: (event: E) => number): number {
  let left = 1;
  const end = line.findIndex((event) => (left -= cost(event)) < 0);
  return end < 0 ? line.length : end;
}

/** Takes one event of each space in turn while they fit, and at least one event. */
function takeInTurns<E>(
  lines: ReadonlyMap<string, readonly E[]>,
  cost: (event: E) => number,
  budget: number,
): E[] {
  const open = new Map(lines);
  const part: E[] = [];
  let left = budget;
  for (let round = 0; open.size > 0; round += 1)
    for (const [spaceId, line] of open) {
      const event = line[round];
      if (event && (part.length === 0 || cost(event) <= left)) {
        part.push(event);
        left -= cost(event);
      } else open.delete(spaceId);
    }
  return part;
}
