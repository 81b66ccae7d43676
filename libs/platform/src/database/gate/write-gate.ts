import { currentCaller, KeyedSemaphore } from '@tieline/background';
import { callerShare } from './caller-gate.js';

/** The row that a transaction competes for. */
export interface WritePlace {
  spaceId: string;
  /** The id of the locked row, or the closest id that is known. */
  place: string;
}

/**
 * One transaction holds the lock and one is ready to take it. More would each hold a connection
 * while waiting for it.
 */
const PER_PLACE = 2;
/** The longest wait for a turn. */
const PATIENCE_MS = 60_000;

/**
 * Queues writes before the pool: a transaction that would wait for a contended row lock waits here
 * without a connection. Writes of one space use at most half of the connections. Those of one
 * caller use at most its share of the pool, so that its further writes do not delay others of its
 * space.
 */
export class WriteGate {
  private readonly places = new KeyedSemaphore(PER_PLACE, PATIENCE_MS);
  private readonly callers: KeyedSemaphore;
  private readonly spaces: KeyedSemaphore;

  /** @param poolMax size of the pool */
  constructor(poolMax: number) {
    this.callers = new KeyedSemaphore(callerShare(poolMax), PATIENCE_MS);
    this.spaces = new KeyedSemaphore(Math.max(1, Math.floor(poolMax / 2)), PATIENCE_MS);
  }

  /**
   * Runs the work when there is room for it. @throws TurnMissed after a minute without room for the
   * place, the caller or the space
   */
  enter<T>({ spaceId, place }: WritePlace, work: () => Promise<T>): Promise<T> {
    const caller = currentCaller();
    const inSpace = (): Promise<T> => this.spaces.run(spaceId, work);
    return this.places.run(`${spaceId}/${place}`, () =>
      caller === undefined ? inSpace() : this.callers.run(caller, inSpace),
    );
  }
}
