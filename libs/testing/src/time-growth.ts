import { processorMs } from './processor-ms.js';

const PARTS = 32;
/** Shorter times are counted as this long, because of the clock's resolution. */
const FLOOR_MS = 2;

/**
 * Returns how many times as long `run` takes for a text of about `size` characters as for the same
 * amount in 32 parts: near 1 for linear time, 32 for quadratic time. Both times are CPU times of
 * equal amounts, so that garbage collection costs both alike.
 *
 * @param unit repeated to the text
 */
export function timeGrowth(run: (text: string) => unknown, unit: string, size: number): number {
  const part = unit.repeat(Math.ceil(size / PARTS / unit.length));
  const whole = unit.repeat(Math.ceil(size / unit.length));
  run(part);
  const inParts = bestMs(() => {
    for (let n = 0; n < PARTS; n += 1) run(part);
  });
  return bestMs(() => run(whole)) / Math.max(inParts, FLOOR_MS);
}

function bestMs(run: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => processorMs(run)));
}
