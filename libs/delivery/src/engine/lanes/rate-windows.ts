import { LANES } from '../claims/claim-deliveries.js';
import type { LaneClaim } from './lane-parts.js';

/** Rates count per second. */
export const WINDOW_MS = 1000;
/** Minimum pause between requests to the limiter when other workers have used up the window. */
const LEAST_PAUSE_MS = 100;
/** A target is forgotten after its rate has let everything through for this long. */
const FORGET_AFTER_MS = 10_000;

interface RateWindow {
  ratePerSecond: number;
  /** When this worker first saw a grant in the current window, as `performance.now()`. */
  begunAt: number;
  /** No delivery is claimed before this time. */
  closedUntil: number;
}

/**
 * Targets that have used up their rate. Their deliveries stay in the queue in order of arrival, and
 * are claimed when the next window starts. A backlog therefore goes out at the full rate. Each
 * worker learns of a used-up rate with one request to the limiter.
 */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();
  private opened: () => void = () => undefined;

  /** @param opened called when the next window of a target starts */
  onOpen(opened: () => void): void {
    this.opened = opened;
  }

  /**
   * Records a response of the limiter.
   * @param granted number of deliveries granted
   * @returns when the next window starts, or undefined if nothing was refused
   */
  recordGrant(targetId: string, ratePerSecond: number, granted: number, refused: number): Date | undefined {
    const now = performance.now();
    const known = this.windows.get(targetId);
    if (refused === 0 && !known) return undefined;
    const isSameWindow = known !== undefined && now - known.begunAt < WINDOW_MS;
    const begunAt = isSameWindow ? known.begunAt : now - (granted > 0 ? 0 : WINDOW_MS);
    const window = { ratePerSecond, begunAt, closedUntil: known?.closedUntil ?? 0 };
    this.windows.set(targetId, window);
    if (refused > 0) return this.close(window, now);
    return undefined;
  }

  /** Returns the claim without the places that rates reserve. */
  withReserved<Claim extends Pick<LaneClaim, 'lane' | 'perTarget' | 'inFlight'>>(claim: Claim): Claim {
    if (this.windows.size === 0 || claim.lane === LANES.test) return claim;
    const now = performance.now();
    const inFlight = new Map(claim.inFlight);
    for (const [targetId, { ratePerSecond, closedUntil }] of this.windows) {
      if (now - closedUntil > FORGET_AFTER_MS) this.windows.delete(targetId);
      const places = now < closedUntil ? 0 : Math.min(ratePerSecond, claim.perTarget);
      inFlight.set(targetId, Math.max(inFlight.get(targetId) ?? 0, claim.perTarget - places));
    }
    return { ...claim, inFlight };
  }

  private close(window: RateWindow, now: number): Date {
    window.closedUntil = Math.max(window.closedUntil, window.begunAt + WINDOW_MS, now + LEAST_PAUSE_MS);
    const left = Math.ceil(window.closedUntil - now);
    // Timers can fire a millisecond early.
    setTimeout(() => this.opened(), left + 1).unref();
    return new Date(Date.now() + left);
  }
}
