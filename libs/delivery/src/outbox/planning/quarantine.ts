import { Unplannable } from './planning-failures.js';

/** An event that has not been planned yet. */
export interface TakenEvent {
  id: number;
  spaceId: string;
}

/** Functions that quarantine needs from the relay. */
export interface QuarantineWork<E> {
  /**
   * Plans these events in their own transaction.
   * @throws Unplannable if one of them can't be planned
   */
  plan(events: E[]): Promise<void>;
}

/** The result for a batch that could not be planned. All events not named here are planned. */
export interface Findings<E> {
  /** Events that can't be planned, with the reason. */
  faults: { event: E; error: unknown }[];
  /** Spaces with too many such events. The rest of their events was not tried. */
  unfinished: Set<string>;
}

/** The search within one batch. */
interface Search<E> extends Findings<E> {
  work: QuarantineWork<E>;
  /** Transactions left for searches within spaces. */
  budget: number;
}

/**
 * Finds the events of a batch that can't be planned, by halving, and plans all others. Unaffected
 * spaces come first, then the affected ones, each in the order of its events. Any other error ends
 * the search, and the remaining events stay in the outbox.
 * @param events the whole batch, in order
 * @param budget number of transactions within affected spaces
 */
export async function quarantine<E extends TakenEvent>(
  work: QuarantineWork<E>,
  events: E[],
  budget: number,
): Promise<Findings<E>> {
  const spaces = new Map<string, E[]>();
  for (const event of events) spaces.set(event.spaceId, [...(spaces.get(event.spaceId) ?? []), event]);
  const search: Search<E> = { work, budget, faults: [], unfinished: new Set() };
  for (const space of await planUnaffected(work, [...spaces.values()])) await withinSpace(search, space);
  return search;
}

/**
 * Plans the spaces without faulty events.
 * @param spaces at least one of them has faulty events
 * @returns the affected spaces
 */
async function planUnaffected<E extends TakenEvent>(work: QuarantineWork<E>, spaces: E[][]): Promise<E[][]> {
  if (spaces.length <= 1) return spaces;
  const [left, right] = halves(spaces);
  const inLeft = (await failureOf(work, left.flat())) ? await planUnaffected(work, left) : [];
  // If the left half has no fault, the right half has one.
  if (inLeft.length > 0 && !(await failureOf(work, right.flat()))) return inLeft;
  return [...inLeft, ...(await planUnaffected(work, right))];
}

async function withinSpace<E extends TakenEvent>(search: Search<E>, events: E[]): Promise<void> {
  const [first] = events;
  if (!first || search.unfinished.has(first.spaceId)) return;
  search.budget -= 1;
  if (search.budget < 0) return void search.unfinished.add(first.spaceId);
  const failure = await failureOf(search.work, events);
  if (!failure) return;
  if (events.length === 1) return void search.faults.push({ event: first, error: failure.cause });
  for (const half of halves(events)) await withinSpace(search, half);
}

async function failureOf<E>(work: QuarantineWork<E>, events: E[]): Promise<Unplannable | undefined> {
  try {
    await work.plan(events);
    return undefined;
  } catch (error) {
    if (error instanceof Unplannable) return error;
    throw error;
  }
}

function halves<T>(all: T[]): [T[], T[]] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
