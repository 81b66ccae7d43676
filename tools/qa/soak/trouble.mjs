// What is done to programs and servers, by chance that a seed decides.
import { setTimeout as sleep } from 'node:timers/promises';

const STRIKE_EVERY_MS = 6_000;
const LONGEST_FREEZE_MS = 15_000;

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @typedef {object} Parts
 * @property {import('./cast.mjs').Cast} cast
 * @property {Awaited<ReturnType<typeof import('./servers.mjs').startDatabase>>} database
 * @property {import('@tieline/testing').RedisServer | undefined} redis
 * @typedef {() => number} Random
 * @typedef {string | undefined} Done what a strike did
 * @typedef {(parts: Parts, random: Random) => Done | Promise<Done>} Strike
 */

/**
 * A strike, how often of a hundred times it comes, and what it does; returns what it did.
 * @type {[share: number, name: string, strike: Strike][]}
 */
const STRIKES = [
  [34, 'kill -9', ({ cast }, random) => cast.kill(random, random() * 3_000)],
  [34, 'SIGSTOP', ({ cast }, random) => cast.freeze(random, 500 + random() * LONGEST_FREEZE_MS)],
  [10, 'FLUSHALL', ({ redis }) => redis?.flush().then(() => 'of Redis')],
  [8, 'Redis away', ({ redis }, random) => redis && away(redis, 500 + random() * 4_000)],
  [7, 'restart', ({ database }) => database.restart().then(() => 'of PostgreSQL')],
  [7, 'silence', ({ database }, random) => silent(database, 1_000 + random() * 5_000)],
];

/**
 * Strikes again and again.
 * @param {Parts} parts @param {Random} random @param {number} ms how long
 * @param {AbortSignal} stop @param {(text: string) => void} say
 * @returns {Promise<Record<string, number>>} how often each came
 */
export async function trouble(parts, random, ms, stop, say) {
  const begun = Date.now();
  /** @type {Record<string, number>} */
  const counts = {};
  while (Date.now() - begun < ms && !stop.aborted) {
    await sleep(STRIKE_EVERY_MS * (0.5 + random()), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    const [, name, strike] = drawn(random());
    const what = await strike(parts, random);
    if (!what) continue;
    counts[name] = (counts[name] ?? 0) + 1;
    say(`${name} ${what}`);
  }
  return counts;
}

function drawn(chance) {
  let sum = 0;
  return /** @type {(typeof STRIKES)[0]} */ (
    STRIKES.find(([share]) => (sum += share) > chance * 100) ?? STRIKES[0]
  );
}

async function away(redis, ms) {
  await redis.stop();
  await sleep(ms);
  await redis.resume();
  return `for ${seconds(ms)}`;
}

async function silent(database, ms) {
  await database.swallow(ms);
  return `of PostgreSQL for ${seconds(ms)}`;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
