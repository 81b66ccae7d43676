import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../load.mjs';

/**
 * Does a piece of work for each item, `perSecond` of them begin in a second.
 * @template T
 * @param {T[]} items @param {number} perSecond @param {(item: T) => Promise<void>} work
 */
export async function atRate(items, perSecond, work) {
  const begun = performance.now();
  const all = items.map(async (item, n) => {
    await sleep(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    await work(item);
  });
  await Promise.all(all);
}

/**
 * @param {string} what @param {number[]} ours @param {number[]} floor @param {string} floorName
 * @param {string} target
 * @returns {import('../bench.mjs').Row}
 */
export function p99Row(what, ours, floor, floorName, target) {
  const [our, their] = [quantile(ours, 0.99), quantile(floor, 0.99)];
  return {
    row: `p99: ${what}`,
    ours: `${our.toFixed(1)} ms (p50 ${quantile(ours, 0.5).toFixed(1)} ms)`,
    floor: `${floorName} ${their.toFixed(1)} ms`,
    ratio: our / their,
    target,
  };
}
