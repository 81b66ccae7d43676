const NEAR_MS = 60_000;
const NEAR_SLOT_MS = 250;
const FAR_SLOT_MS = 1_000;

/**
 * Maximum interval between checks of ticks: they are restored this fast after the queue lost
 * everything.
 */
const REFRESH_MS = 5_000;

/**
 * Returns when a timer for `at` fires: the end of a slot of 250 ms, or of 1 s when it is over a
 * minute away, so that close timers are one. All times are milliseconds since 1970.
 */
export function slotOf(at: number, now: number): number {
  const width = at - now > NEAR_MS ? FAR_SLOT_MS : NEAR_SLOT_MS;
  return Math.ceil(at / width) * width;
}

/** Returns the next tick of an interval after `now`; the same in every process. */
export function nextTick(now: number, intervalMs: number): number {
  return (Math.floor(now / intervalMs) + 1) * intervalMs;
}

/**
 * Returns the delay before a tick's timer is set again: shortly after the tick, so that the next
 * one is set nearly an interval ahead, or earlier to make up for a lost timer.
 */
export function refreshDelay(now: number, intervalMs: number): number {
  const afterTick = nextTick(now, intervalMs) - now + Math.min(intervalMs / 10, 500);
  return Math.min(afterTick, REFRESH_MS);
}
