const NEAR_MS = 60_000;
const NEAR_SLOT_MS = 250;
const FAR_SLOT_MS = 1_000;

/**
 * How often ticks are looked after, at least: this long after the queue lost everything they are
 * back.
 */
const REFRESH_MS = 5_000;

/**
 * The moment at which a timer for `at` fires: the end of a slot of 250 ms, or of 1 s when it is
 * over a minute away, so that timers close to each other are one. All times are milliseconds since
 * 1970.
 */
export function slotOf(at: number, now: number): number {
  const width = at - now > NEAR_MS ? FAR_SLOT_MS : NEAR_SLOT_MS;
  return Math.ceil(at / width) * width;
}

/** The next tick of an interval after `now`; the same in every process. */
export function nextTick(now: number, intervalMs: number): number {
  return (Math.floor(now / intervalMs) + 1) * intervalMs;
}

/**
 * How long to wait before setting a tick's timer again: shortly after the tick, so that the next
 * one is set nearly an interval ahead, or earlier to make up for a timer that was lost.
 */
export function refreshDelay(now: number, intervalMs: number): number {
  const afterTick = nextTick(now, intervalMs) - now + Math.min(intervalMs / 10, 500);
  return Math.min(afterTick, REFRESH_MS);
}
