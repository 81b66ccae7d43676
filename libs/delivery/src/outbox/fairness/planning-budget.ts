/**
 * What one planning transaction may write and read, unless it is for one event alone: others wait
 * for its end.
 */
export const PLANNING_BUDGET = { rows: 1000, bytes: 8 * 1024 * 1024 } as const;
/** A space with so much of a budget is heavy. */
const HEAVY = 0.25;

/** A batch would take more than the budget: it is planned in parts. */
export class OverBudget extends Error {
  /** @param rows what follows from which event, by event id */
  constructor(readonly rows: ReadonlyMap<string, number>) {
    super('more follows from the batch than one transaction may write');
  }
}

/**
 * For subscribers, in `plan` and before the work is done: how many rows they will write for which
 * event, by event id.
 * @throws OverBudget when it is too much; the relay comes again with fewer events, at last with one
 */
export function keepRows(rows: ReadonlyMap<string, number>): void {
  const sum = [...rows.values()].reduce((all, one) => all + one, 0);
  if (rows.size > 1 && sum > PLANNING_BUDGET.rows) throw new OverBudget(rows);
}

/** An event as the budget sees it. */
interface WeighedEvent {
  event_id: string;
  space_id: string;
  payload: string;
}

/** @throws OverBudget when so many bytes are too much at once */
export function keepBytes(events: readonly WeighedEvent[]): void {
  const sum = events.reduce((all, { payload }) => all + payload.length, 0);
  if (events.length > 1 && sum > PLANNING_BUDGET.bytes) throw new OverBudget(new Map());
}

/** A part of a batch that fits the budget. */
export interface FairPart<E> {
  part: E[];
  /** Heavy spaces of which something is left, and how many of their events are in the part. */
  heavy: Map<string, number>;
}

/**
 * The part of a batch that fits the budget: of each space in its order, one event of each after the
 * other.
 */
export function fairPart<E extends WeighedEvent>(
  events: readonly E[],
  rows: ReadonlyMap<string, number>,
): FairPart<E> {
  const lines = new Map<string, E[]>();
  for (const event of events) lines.set(event.space_id, [...(lines.get(event.space_id) ?? []), event]);
  const cost = ({ event_id: id, payload }: E): number =>
    Math.max((rows.get(id) ?? 0) / PLANNING_BUDGET.rows, payload.length / PLANNING_BUDGET.bytes);
  const heavy = new Map<string, number>();
  const part: E[] = [];
  let left = 1;
  for (let round = 0; lines.size > 0; round += 1)
    for (const [spaceId, line] of lines) {
      const event = line[round];
      if (event && (part.length === 0 || cost(event) <= left)) {
        part.push(event);
        left -= cost(event);
        continue;
      }
      lines.delete(spaceId);
      if (event && line.reduce((all, one) => all + cost(one), 0) >= HEAVY) heavy.set(spaceId, round);
    }
  return { part, heavy };
}
