/** How long a delivery over its target's rate is postponed (contract: about 30 seconds). */
export const POSTPONE_MS = 30_000;
const FORGET_AFTER_MS = 60_000;

/**
 * Hands out the moments to which deliveries over a target's rate are postponed: at least 30 seconds ahead and never
 * more per second than the rate allows, so that a backlog drains at the full rate instead of piling up again.
 */
export class RateSlots {
  private readonly last = new Map<string, number>();

  /** The next free moment of a target. @param now milliseconds */
  next(targetId: string, ratePerSecond: number, now: number): Date {
    const earliest = now + POSTPONE_MS;
    const at = Math.max(earliest, (this.last.get(targetId) ?? 0) + 1000 / ratePerSecond);
    this.last.set(targetId, at);
    if (this.last.size > 10_000) this.forget(now);
    return new Date(at);
  }

  private forget(now: number): void {
    for (const [id, at] of this.last) if (at < now - FORGET_AFTER_MS) this.last.delete(id);
  }
}
