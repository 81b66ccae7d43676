/** Minimum pause between walks with little room, so that claims stay few and large. */
const LITTLE_ROOM_MS = 25;
/**
 * Pause after a walk, as a multiple of its duration including the start of its attempts: walks get
 * a quarter of the worker's time.
 */
const REST = 3;
/** The same in a lane with much room, after a walk in which a space got its full ration. */
const REST_WITH_ROOM = 1;
/** Maximum pause, even on a slow machine. */
const LONGEST_MS = 500;

/**
 * Decides when the next walk over targets is due in a lane with little room. A full lane frees
 * places all the time. Looking for work after each of them would keep a slow machine busy, and
 * delay claims by target for other spaces.
 */
export class WalkPace {
  private dueAt = -Infinity;

  /**
   * Records that a walk has ended, or that the attempts it found have started.
   * @param askedAt when the walk started
   */
  walkEnded(askedAt: number, hasRoom = false, now = performance.now()): void {
    const rest = (hasRoom ? REST_WITH_ROOM : REST) * (now - askedAt);
    this.dueAt = now + Math.min(LONGEST_MS, Math.max(LITTLE_ROOM_MS, rest));
  }

  /** Returns the milliseconds until the next walk, 0 or less if it is due. */
  msLeft(now = performance.now()): number {
    return this.dueAt - now;
  }
}
