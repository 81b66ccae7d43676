import { LANES } from '../claims/claim-deliveries.js';
import type { LaneClaim } from './lane-parts.js';

/** Rates are per second. */
export const WINDOW_MS = 1000;
/** Where other workers have used up the window, the limiter is asked again so much later. */
const LEAST_PAUSE_MS = 100;
/** A target is forgotten once its rate has let everything through for this long. */
const FORGET_AFTER_MS = 10_000;

interface RateWindow {
  ratePerSecond: number;
  /**
   * When the limiter first let something through in the present window, as far as this worker saw;
   * of `performance.now()`.
   */
  begunAt: number;
  /** Nothing is claimed before. */
  closedUntil: number;
}

/**
 * The targets whose rate is used up. What they are owed stays where it is, in order of arrival, and
 * is claimed again when the next window begins: so a backlog goes out at the full rate, whatever it
 * waited for before. Only this worker knows; another one asks the limiter once and knows it too.
 */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();
  private opened: () => void = () => undefined;

  /** @param opened called when the next window of a target begins */
  onOpen(opened: () => void): void {
    this.opened = opened;
  }

  /**
   * What the limiter said.
   * @param granted how many of those that were asked for
   * @returns when the next window begins; undefined when nothing was refused
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

  /** A claim without the places that rates leave empty. */
  withReserved(claim: LaneClaim): LaneClaim {
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
    // Timers may be a millisecond early.
    setTimeout(() => this.opened(), left + 1).unref();
    return new Date(Date.now() + left);
  }
}
