const NEAR_MS = 60_000;
const NEAR_SLOT_MS = 250;
const FAR_SLOT_MS = 1_000;

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
