/** Minimum pause between walks with little room, so that claims stay few and large. */
const LITTLE_ROOM_MS = 25;
/** The same after a walk that found little. */
const FOUND_LITTLE_MS = 50;
/**
 * Pause after a walk, as a multiple of its duration including the start of its attempts: walks get
 * a quarter of the worker's time.
 */
const REST = 3;
/** The same in a lane with much room, after a walk in which a space got its full ration. */
const REST_WITH_ROOM = 1;
/** Maximum pause, even on a slow machine. */
const LONGEST_MS = 500;

/** What makes a pause longer or shorter. */
interface Walked {
  hasRoom?: boolean;
  foundLittle?: boolean;
}

/**
 * Decides when the next walk over targets is due in a lane with little room, or after a walk that
 * found little. Slow targets free places all the time. Looking for work after each of them would
 * keep a slow machine busy, and delay claims by target for other spaces.
 */
export class WalkPace {
  private dueAt = -Infinity;

  /**
   * Records that a walk has ended, or that the attempts it found have started.
   * @param askedAt when the walk started
   */
  walkEnded(askedAt: number, { hasRoom, foundLittle }: Walked = {}, now = performance.now()): void {
    const rest = (hasRoom ? REST_WITH_ROOM : REST) * (now - askedAt);
    const least = foundLittle ? FOUND_LITTLE_MS : LITTLE_ROOM_MS;
    this.dueAt = now + Math.min(LONGEST_MS, Math.max(least, rest));
  }

  /** Returns the milliseconds until the next walk, 0 or less if it is due. */
  msLeft(now = performance.now()): number {
    return this.dueAt - now;
  }
}
