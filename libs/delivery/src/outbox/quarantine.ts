import { Unplannable } from './planning-failures.js';

/** What is known of an event before it is planned. */
export interface TakenEvent {
  id: number;
  space_id: string;
}

/** What quarantine needs from the relay. */
export interface QuarantineWork<E> {
  /** Plans these events in a transaction of their own. @throws Unplannable when one of them can't be */
  plan(events: E[]): Promise<void>;
  setAside(event: E, error: unknown): Promise<void>;
}

/**
 * Finds, in a batch that could not be planned, the events whose fault it is, by halving, and sets them aside; all others are
 * planned. At once and without a pause: first the spaces that are not concerned, then those that are, each in the order of
 * its events. Anything else that goes wrong ends it; what is not done yet is still in the outbox.
 *
 * @param events all of the batch, in order
 */
export async function quarantine<E extends TakenEvent>(work: QuarantineWork<E>, events: E[]): Promise<void> {
  const spaces = new Map<string, E[]>();
  for (const event of events) spaces.set(event.space_id, [...(spaces.get(event.space_id) ?? []), event]);
  for (const space of await concerned(work, [...spaces.values()])) await withinSpace(work, space);
}

/** Plans the spaces that can be planned. @returns the others @param spaces at least one of them can't be */
async function concerned<E extends TakenEvent>(work: QuarantineWork<E>, spaces: E[][]): Promise<E[][]> {
  if (spaces.length <= 1) return spaces;
  const [left, right] = halves(spaces);
  const inLeft = (await failureOf(work, left.flat())) ? await concerned(work, left) : [];
  // With a faultless left half the fault is in the right one.
  if (inLeft.length > 0 && !(await failureOf(work, right.flat()))) return inLeft;
  return [...inLeft, ...(await concerned(work, right))];
}

async function withinSpace<E extends TakenEvent>(work: QuarantineWork<E>, events: E[]): Promise<void> {
  const failure = await failureOf(work, events);
  if (!failure) return;
  const [only] = events;
  if (only && events.length === 1) return work.setAside(only, failure.cause);
  for (const half of halves(events)) await withinSpace(work, half);
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
