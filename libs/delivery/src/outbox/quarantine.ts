import { Unplannable } from './planning-failures.js';

/** What is known of an event before it is planned. */
export interface TakenEvent {
  id: number;
  space_id: string;
}

/** What quarantine needs from the relay. */
export interface QuarantineWork<E> {
  /**
   * Plans these events in a transaction of their own. @throws Unplannable when one of them can't be
   */
  plan(events: E[]): Promise<void>;
}

/** What came of a batch that could not be planned; whatever is not named here is planned. */
export interface Findings<E> {
  /** Events that can't be planned, and why. */
  faults: { event: E; error: unknown }[];
  /** Spaces in which there are too many of them: the rest of their events was not looked at. */
  unfinished: Set<string>;
}

/** One look at a batch. */
interface Search<E> extends Findings<E> {
  work: QuarantineWork<E>;
  /** Transactions that may still be tried within spaces. */
  budget: number;
}

/**
 * Finds, in a batch that could not be planned, the events whose fault it is, by halving; all others
 * are planned. At once and without a pause: first the spaces that are not concerned, then those
 * that are, each in the order of its events. Anything else that goes wrong ends it; what is not
 * done yet is still in the outbox.
 *
 * @param events all of the batch, in order
 * @param budget transactions within the spaces that are concerned
 */
export async function quarantine<E extends TakenEvent>(
  work: QuarantineWork<E>,
  events: E[],
  budget: number,
): Promise<Findings<E>> {
  const spaces = new Map<string, E[]>();
  for (const event of events) spaces.set(event.space_id, [...(spaces.get(event.space_id) ?? []), event]);
  const search: Search<E> = { work, budget, faults: [], unfinished: new Set() };
  for (const space of await planUnaffected(work, [...spaces.values()])) await withinSpace(search, space);
  return search;
}

/**
 * Plans the spaces that can be planned. @returns the others @param spaces at least one of them
 * can't be
 */
async function planUnaffected<E extends TakenEvent>(work: QuarantineWork<E>, spaces: E[][]): Promise<E[][]> {
  if (spaces.length <= 1) return spaces;
  const [left, right] = halves(spaces);
  const inLeft = (await failureOf(work, left.flat())) ? await planUnaffected(work, left) : [];
  // With a faultless left half the fault is in the right one.
  if (inLeft.length > 0 && !(await failureOf(work, right.flat()))) return inLeft;
  return [...inLeft, ...(await planUnaffected(work, right))];
}

async function withinSpace<E extends TakenEvent>(search: Search<E>, events: E[]): Promise<void> {
  const [first] = events;
  if (!first || search.unfinished.has(first.space_id)) return;
  search.budget -= 1;
  if (search.budget < 0) return void search.unfinished.add(first.space_id);
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
