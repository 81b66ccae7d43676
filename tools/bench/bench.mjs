/**
 * `npm run bench`: measures the product beside floors taken in the same run. Prints each row when
 * it is done, and the whole table at the end. Compare only within one run: disks and neighbors
 * change from minute to minute.
 *
 *   npm run bench               every row, on Postgres alone and, when redis-server is on the PATH,
 *                               with Redis
 *   npm run bench -- --only a   one group of rows:
 *                               a messages, b drain, c latency and memory, e event streams,
 *                               f another space's flood, slow receivers and conversations,
 *                               g growth (no Redis), h relay shards (no Redis),
 *                               i incoming webhooks, k clicks, o opening the console (no Redis),
 *                               p polling, r recoveries, s sockets, u run updates,
 *                               w postponed deliveries
 *   npm run bench -- --quick    short rounds, for a first look
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopwatch } from '../elapsed.mjs';
import { appends } from './append-rows.mjs';
import { clicks } from './click-rows.mjs';
import { crowds } from './crowd-rows.mjs';
import { flood } from './flood-rows.mjs';
import { growth } from './growth/growth-rows.mjs';
import { incoming } from './incoming-rows.mjs';
import { opening } from './opening-rows.mjs';
import { polling } from './poll-rows.mjs';
import { postponed } from './postponed-rows.mjs';
import { Product, startRedis } from './product.mjs';
import { recovery } from './recover-rows.mjs';
import { drain, latency, messages } from './rows.mjs';
import { shards } from './shard-rows.mjs';
import { slowSpace } from './slow-rows.mjs';
import { sockets } from './socket-rows.mjs';
import { streams } from './stream-rows.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'abcefghikoprsuw' },
    quick: { type: 'boolean', default: false },
    on: { type: 'string', default: 'postgres,redis' },
  },
});
const scale = values.quick
  ? { rounds: 1, seconds: 3, deliveries: 4000 }
  : { rounds: 5, seconds: 4, deliveries: 10_000 };
const GROWTH = values.quick
  ? { rounds: 3, works: 40, sizes: [1_000, 100_000] }
  : { rounds: 15, works: 40, sizes: [1_000, 100_000, 1_000_000] };
const RATES = [
  { perSecond: 100, p50: 15, p99: 60 },
  { perSecond: 1000, p50: 15, p99: 60 },
];

const root = resolve(import.meta.dirname, '../..');
const built = spawnSync(process.execPath, ['tools/build.mjs'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(1);

const quick = values.quick;

/**
 * The groups of rows in the order in which they run: the letter for `--only`, what it measures, and
 * how. `once`: only where the run has no Redis, because Redis makes no difference.
 */
const GROUPS = [
  { letter: 'a', name: 'messages', run: (product) => messages(product, scale) },
  { letter: 'b', name: 'drain', run: (product) => drain(product, scale) },
  {
    letter: 'c',
    name: 'latency and memory',
    run: (product) => latency(product, { seconds: quick ? 4 : 10, rates: RATES }),
  },
  {
    letter: 'w',
    name: 'beside postponed deliveries',
    run: (product) => postponed(product, { seconds: quick ? 4 : 10 }),
  },
  {
    letter: 'f',
    name: 'beside a flood of another space',
    run: (product) => flood(product, quick ? { seconds: 5, messages: 200 } : { seconds: 20, messages: 2000 }),
  },
  {
    letter: 'f',
    name: 'beside slow receivers of another space',
    run: (product) =>
      slowSpace(product, quick ? { seconds: 8, messages: 800 } : { seconds: 20, messages: 2000 }),
  },
  {
    letter: 'f',
    name: 'beside new conversations of another space',
    run: (product) => crowds(product, quick ? { seconds: 6, rounds: 1 } : { seconds: 8, rounds: 3 }),
  },
  { letter: 'i', name: 'incoming webhooks', run: (product) => incoming(product, scale) },
  {
    letter: 'p',
    name: 'polling',
    run: (product) => polling(product, { rounds: scale.rounds, seconds: 1.5 }),
  },
  { letter: 'k', name: 'clicks', run: (product) => clicks(product, scale) },
  { letter: 's', name: 'sockets', run: (product) => sockets(product) },
  { letter: 'u', name: 'updates of runs', run: (product) => appends(product) },
  {
    letter: 'r',
    name: 'recoveries',
    run: (product) =>
      recovery(product, { deliveries: quick ? 10_000 : 100_000, floorDeliveries: scale.deliveries }),
  },
  {
    letter: 'h',
    name: 'shards of the relay',
    once: true,
    run: (product) => shards(product, quick ? { events: 6000, seconds: 5 } : { events: 15_000, seconds: 15 }),
  },
  { letter: 'o', name: 'opening the console', once: true, run: (product) => opening(product, scale) },
  {
    letter: 'e',
    name: 'event streams',
    run: (product) => streams(product, { rounds: scale.rounds, streams: 5000 }),
  },
];

const elapsed = stopwatch();
const rows = [];

/** Runs a group, says so before, and prints its rows as soon as they are there. */
async function show(on, name, run) {
  console.log(`${elapsed()}  ${on}: ${name} …`);
  for (const row of [await run()].flat()) {
    rows.push({ on, ...row });
    console.log(`${elapsed()}  ${line(rows.at(-1))}`);
  }
}

function line({ on, row, ours, floor, ratio, target }) {
  const wanted = typeof target === 'number' ? `>= ${target}` : target;
  return `| ${on} | ${row} | ${ours} | ${floor} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${wanted} |`;
}

async function measure(on, redisUrl) {
  const groups = GROUPS.filter(({ letter, once }) => values.only.includes(letter) && !(once && redisUrl));
  if (groups.length === 0) return;
  const product = await Product.create({ redisUrl });
  try {
    for (const { name, run } of groups) await show(on, name, () => run(product));
  } finally {
    await product.close();
  }
}

if (values.on.includes('postgres')) await measure('Postgres');
// The tables that grow are in PostgreSQL, with or without Redis.
if (values.on.includes('postgres') && values.only.includes('g'))
  await show('Postgres', 'growth', () => growth(GROWTH));
if (values.on.includes('redis')) {
  const redis = await startRedis();
  if (redis) {
    await measure('Postgres + Redis', redis.url);
    await redis.stop();
  } else console.log('No redis-server on the PATH: the rows with Redis are left out.');
}

console.log(`\nnode ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})\n`);
console.log('| on | what | Tieline | floor of the same run | ratio | wanted |\n|---|---|---|---|---|---|');
for (const row of rows) console.log(line(row));
