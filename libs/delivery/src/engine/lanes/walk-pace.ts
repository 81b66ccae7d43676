/**
 * Walks over targets keep this distance while there is little room, so that claims stay few and
 * large.
 */
const LITTLE_ROOM_MS = 25;
/**
 * And they rest for so many times as long as one took, with the beginning of what it found: a
 * quarter of a worker's time is theirs.
 */
const REST = 3;
/** The same in a lane with room, after a walk that left deliveries of a large space behind. */
const REST_WITH_ROOM = 1;
/** However slow the machine is, places are looked after so often. */
const LONGEST_MS = 500;

/**
 * When the next walk over targets is due in a lane with little room. Whoever fills a lane has a
 * place fall free all the time; to look for each at once would keep a slow machine busy with
 * nothing else, and what is planned for others, and claimed by name, would wait for it.
 */
export class WalkPace {
  private dueAt = -Infinity;

  /**
   * Records that a walk has ended, or that what it found has started.
   * @param askedAt when the walk began
   */
  walkEnded(askedAt: number, hasRoom = false, now = performance.now()): void {
    const rest = (hasRoom ? REST_WITH_ROOM : REST) * (now - askedAt);
    this.dueAt = now + Math.min(LONGEST_MS, Math.max(LITTLE_ROOM_MS, rest));
  }

  /** Milliseconds until the next walk; 0 or less when it is due. */
  msLeft(now = performance.now()): number {
    return this.dueAt - now;
  }
}
