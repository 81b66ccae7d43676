/**
 * `npm run bench`: measures the product beside floors taken in the same run and prints a table. Compare only within one
 * run: disks and neighbours change from minute to minute.
 *
 *   npm run bench                 everything, on Postgres alone and (when redis-server is on the PATH) with Redis
 *   npm run bench -- --only a     one group of rows: a (messages), b (drain), c (latency and memory), e (event streams), i (incoming webhooks),
 *                                  k (clicks), o (opening the console, without Redis), p (polling), w (beside postponed deliveries), f (beside a flood of another space), s (sockets),
 *                                  r (recoveries), u (updates of runs), g (growth: small and large tables, without Redis), h (shards of the relay, without Redis)
 *   npm run bench -- --quick      short rounds, for a first look
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { appends } from './append-rows.mjs';
import { clicks } from './click-rows.mjs';
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

async function measure(variant, redisUrl) {
  const product = await Product.create({ redisUrl });
  const rows = [];
  try {
    if (values.only.includes('a')) rows.push(await messages(product, scale));
    if (values.only.includes('b')) rows.push(await drain(product, scale));
    if (values.only.includes('c'))
      rows.push(...(await latency(product, { seconds: values.quick ? 4 : 10, rates: RATES })));
    if (values.only.includes('w')) rows.push(await postponed(product, { seconds: values.quick ? 4 : 10 }));
    if (values.only.includes('f'))
      rows.push(
        await flood(product, values.quick ? { seconds: 5, messages: 200 } : { seconds: 20, messages: 2000 }),
      );
    if (values.only.includes('i')) rows.push(await incoming(product, scale));
    if (values.only.includes('p'))
      rows.push(...(await polling(product, { rounds: scale.rounds, seconds: 1.5 })));
    if (values.only.includes('k')) rows.push(...(await clicks(product, scale)));
    if (values.only.includes('s')) rows.push(...(await sockets(product)));
    if (values.only.includes('u')) rows.push(...(await appends(product)));
    if (values.only.includes('r'))
      rows.push(
        await recovery(product, {
          deliveries: values.quick ? 10_000 : 100_000,
          floorDeliveries: scale.deliveries,
        }),
      );
    if (values.only.includes('h') && !redisUrl)
      rows.push(
        ...(await shards(
          product,
          values.quick ? { events: 6000, seconds: 5 } : { events: 15_000, seconds: 15 },
        )),
      );
    if (values.only.includes('o') && !redisUrl) rows.push(...(await opening(product, scale)));
    if (values.only.includes('e'))
      rows.push(...(await streams(product, { rounds: scale.rounds, streams: 5000 })));
  } finally {
    await product.close();
  }
  return rows.map((row) => ({ on: variant, ...row }));
}

const rows = [];
if (values.on.includes('postgres')) rows.push(...(await measure('Postgres')));
// What grows is in PostgreSQL, with Redis or without.
if (values.on.includes('postgres') && values.only.includes('g'))
  rows.push(...(await growth(GROWTH)).map((row) => ({ on: 'Postgres', ...row })));
if (values.on.includes('redis')) {
  const redis = await startRedis();
  if (redis) {
    rows.push(...(await measure('Postgres + Redis', redis.url)));
    await redis.stop();
  } else console.log('No redis-server on the PATH: the rows with Redis are left out.');
}

console.log(`\nnode ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})\n`);
console.log('| on | what | Tieline | floor of the same run | ratio | wanted |\n|---|---|---|---|---|---|');
for (const { on, row, ours, floor, ratio, target } of rows) {
  console.log(
    `| ${on} | ${row} | ${ours} | ${floor} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${typeof target === 'number' ? `>= ${target}` : target} |`,
  );
}
