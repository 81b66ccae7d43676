/** Responses that take longer are slow. */
const SLOW_MS = 1000;
/** A target that answered this recently, and not slowly, is quick. */
const QUICK_MS = 1000;
/** Number of quick targets that are remembered. */
const QUICK_TARGETS = 1000;
/** A target without deliveries for this long gets all its places back. */
const FORGET_AFTER_MS = 60_000;

interface Share {
  /** Number of places, rounded down, at least one. */
  places: number;
  halvedAt: number;
  lastAttemptAt: number;
}

/**
 * Limits the places of a lane that each target may fill (AIMD). A target starts with all its
 * places. Each slow response in a crowded lane halves them, down to one. Each quick response
 * returns a part of a place, and in a lane with room every response does. Slow but healthy
 * receivers therefore share half of a lane, and lose nothing while no other target needs it. A
 * target that keeps answering quickly may get more places, which one that hangs does not earn.
 */
export class TargetShares {
  private readonly shares = new Map<string, Share>();
  /** When targets last answered quickly, oldest first. */
  private readonly quickAt = new Map<string, number>();

  /** @param perTarget maximum number of places of a target */
  constructor(private readonly perTarget: number) {}

  /**
   * Adjusts the target's share after an attempt.
   * @param crowded whether at least half of the lane is taken
   */
  recordAttempt(targetId: string, durationMs: number, crowded: boolean, now = performance.now()): void {
    const share = this.shares.get(targetId);
    if (durationMs < SLOW_MS) this.noteQuick(targetId, now);
    if (durationMs >= SLOW_MS && crowded) return this.halve(targetId, share, now - durationMs, now);
    if (!share) return;
    share.lastAttemptAt = now;
    share.places += 1 / Math.floor(share.places);
    if (share.places >= this.perTarget) this.shares.delete(targetId);
  }

  /**
   * Returns the attempts in flight plus the places that targets must leave empty.
   * @param more number of places of quick targets in addition; theirs are subtracted
   */
  withReserved(
    inFlight: ReadonlyMap<string, number>,
    more = 0,
    now = performance.now(),
  ): ReadonlyMap<string, number> {
    if (this.shares.size === 0 && more === 0) return inFlight;
    const taken = new Map(inFlight);
    for (const [targetId, count] of inFlight)
      if (now - (this.quickAt.get(targetId) ?? -Infinity) < QUICK_MS) taken.set(targetId, count - more);
    for (const [targetId, { places, lastAttemptAt }] of this.shares) {
      if (now - lastAttemptAt > FORGET_AFTER_MS) this.shares.delete(targetId);
      else taken.set(targetId, (inFlight.get(targetId) ?? 0) + this.perTarget - Math.floor(places));
    }
    return taken;
  }

  /** Returns the number of places that the target may fill, without those of quick targets. */
  placesOf(targetId: string): number {
    return Math.floor(this.shares.get(targetId)?.places ?? this.perTarget);
  }

  private noteQuick(targetId: string, now: number): void {
    this.quickAt.delete(targetId);
    this.quickAt.set(targetId, now);
    const [oldest] = this.quickAt.keys();
    if (this.quickAt.size > QUICK_TARGETS && oldest !== undefined) this.quickAt.delete(oldest);
  }

  /** Attempts sent before the last halving do not halve the share again. */
  private halve(targetId: string, share: Share | undefined, sentAt: number, now: number): void {
    if (share && sentAt < share.halvedAt) {
      share.lastAttemptAt = now;
      return;
    }
    const places = Math.max(1, (share?.places ?? this.perTarget) / 2);
    this.shares.set(targetId, { places, halvedAt: now, lastAttemptAt: now });
  }
}
