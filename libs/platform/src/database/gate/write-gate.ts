import { Turns } from './turns.js';

/** Where a transaction writes. */
export interface WritePlace {
  spaceId: string;
  /** The id of what its row lock is about, as far as it is known. */
  place: string;
}

/**
 * One holds the lock, one is ready to take it: more would only wait for it, each with a connection.
 */
const PER_PLACE = 2;
/** No caller waits longer for an answer. */
const PATIENCE_MS = 60_000;

/**
 * In front of the pool: who would wait for a lock that a neighbour holds waits here, without a
 * connection, and no space has more than half of the connections for its writes.
 */
export class WriteGate {
  private readonly places = new Turns(PER_PLACE, PATIENCE_MS);
  private readonly spaces: Turns;

  /** @param poolMax connections of the pool */
  constructor(poolMax: number) {
    this.spaces = new Turns(Math.max(1, Math.floor(poolMax / 2)), PATIENCE_MS);
  }

  /**
   * Does the work when there is room for it. @throws TurnMissed when the place or the space had
   * none for a minute
   */
  enter<T>({ spaceId, place }: WritePlace, work: () => Promise<T>): Promise<T> {
    return this.places.take(`${spaceId}/${place}`, () => this.spaces.take(spaceId, work));
  }
}
