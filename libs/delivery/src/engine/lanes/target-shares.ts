/** An answer that takes longer is slow; milliseconds. */
const SLOW_MS = 1000;
/** A target that nothing was sent to for so long has all its places again. */
const FORGET_AFTER_MS = 60_000;

interface Share {
  /** How many places it may fill; rounded down, and at least one. */
  places: number;
  halvedAt: number;
  lastAttemptAt: number;
}

/**
 * How many places of a lane each target may fill: all that one target may have, until it answers
 * slowly while the lane is crowded. Then half, and half again down to one; every quick answer gives
 * a part of a place back, and in a lane with room every answer does (AIMD). So slow receivers,
 * which are well, take half of a lane together and not all of it, and nothing is kept from them
 * while nobody else needs it.
 */
export class TargetShares {
  private readonly shares = new Map<string, Share>();

  /** @param perTarget the most that a target may have */
  constructor(private readonly perTarget: number) {}

  /**
   * An attempt has ended.
   * @param crowded whether the lane is half full at least
   */
  recordAttempt(targetId: string, durationMs: number, crowded: boolean, now = performance.now()): void {
    const share = this.shares.get(targetId);
    if (durationMs >= SLOW_MS && crowded) return this.halve(targetId, share, now - durationMs, now);
    if (!share) return;
    share.lastAttemptAt = now;
    share.places += 1 / Math.floor(share.places);
    if (share.places >= this.perTarget) this.shares.delete(targetId);
  }

  /** What is in flight, with the places that targets must leave empty. */
  withReserved(inFlight: ReadonlyMap<string, number>, now = performance.now()): ReadonlyMap<string, number> {
    if (this.shares.size === 0) return inFlight;
    const taken = new Map(inFlight);
    for (const [targetId, { places, lastAttemptAt }] of this.shares) {
      if (now - lastAttemptAt > FORGET_AFTER_MS) this.shares.delete(targetId);
      else taken.set(targetId, (taken.get(targetId) ?? 0) + this.perTarget - Math.floor(places));
    }
    return taken;
  }

  /** What was sent before the last halving says nothing of the share since. */
  private halve(targetId: string, share: Share | undefined, sentAt: number, now: number): void {
    if (share && sentAt < share.halvedAt) {
      share.lastAttemptAt = now;
      return;
    }
    const places = Math.max(1, (share?.places ?? this.perTarget) / 2);
    this.shares.set(targetId, { places, halvedAt: now, lastAttemptAt: now });
  }
}
