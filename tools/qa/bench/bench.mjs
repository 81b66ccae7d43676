/**
 * `npm run bench`: measures the product beside floors taken in the same run. Prints each row when
 * it is done, and the whole table at the end. Compare only within one run: disks and neighbors
 * change from minute to minute.
 *
 *   npm run bench               every row, on Postgres alone and, when redis-server is on the PATH,
 *                               with Redis
 *   npm run bench -- --only a   one group of rows:
 *                               a: messages, b: drain, c: latency and memory, e: event streams,
 *                               f: another space's flood, slow receivers, conversations, alerts,
 *                               recovery and import,
 *                               g: growth (no Redis), h: agents and approvals,
 *                               i: incoming webhooks, k: clicks, l: Slack apps,
 *                               n: installations of apps,
 *                               o: opening the console (no Redis), p: polling, r: recoveries,
 *                               s: sockets, u: run updates, w: postponed deliveries
 *   npm run bench -- --quick    short rounds, for a first look
 *   npm run bench -- --check    fails if a ratio is below docs/performance.md#promises; only the
 *                               groups with promises unless --only is given
 *   npm run bench -- --peers svix=http://127.0.0.1:8071,outpost=http://127.0.0.1:3333
 *                               instead: Tieline beside servers that run on this machine, with
 *                               SVIX_TOKEN and OUTPOST_API_KEY
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { agents } from './agents/agent-rows.mjs';
import { appends } from './append-rows.mjs';
import { clicks } from './click-rows.mjs';
import { crowds } from './crowd-rows.mjs';
import { flood } from './flood-rows.mjs';
import { growth } from './growth/growth-rows.mjs';
import { incoming } from './incoming-rows.mjs';
import { installs } from './install-rows.mjs';
import { opening } from './opening-rows.mjs';
import { polling } from './poll-rows.mjs';
import { postponed } from './postponed-rows.mjs';
import { hasRedis, Product, startRedis } from '../product.mjs';
import { comparePeers, parsePeers } from './peers/peers.mjs';
import { recovery } from './recover-rows.mjs';
import { brokenPromises, PROMISES } from './promises.mjs';
import { drain, latency, messages } from './rows.mjs';
import { slackApps } from './slack-rows.mjs';
import { slowSpace } from './slow-rows.mjs';
import { sockets } from './socket-rows.mjs';
import { streams } from './stream-rows.mjs';
import { besideAlerts, besideImport, besideRecovery } from './work-rows.mjs';

export const PROMISE = 'every row was measured';

/** The letters of all groups. */
const ALL = 'abcefghiklnoprsuw';

const RATES = [
  { perSecond: 100, p50: 15, p99: 60 },
  { perSecond: 1000, p50: 15, p99: 60 },
];

/**
 * @typedef {object} Row
 * @property {string} row what was measured
 * @property {string} ours the product
 * @property {string} floor what it is compared with, in the same run
 * @property {number} [ratio]
 * @property {string | number} target
 *
 * @typedef {object} Group
 * @property {string} letter for `--only`
 * @property {string} name
 * @property {boolean} [once] only without Redis, because Redis makes no difference
 * @property {(product: Product) => Promise<Row | Row[]>} run
 */

/**
 * Returns the groups of rows in the order in which they run.
 * @param {boolean} quick
 * @returns {Group[]}
 */
function groupsOf(quick) {
  const scale = quick
    ? { rounds: 1, seconds: 3, deliveries: 4000 }
    : { rounds: 5, seconds: 4, deliveries: 10_000 };
  const turns = quick ? { seconds: 6, rounds: 1 } : { seconds: 8, rounds: 3 };
  return [
    { letter: 'a', name: 'messages', run: (product) => messages(product, scale) },
    { letter: 'l', name: 'Slack apps', run: (product) => slackApps(product, scale) },
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
      run: (product) =>
        flood(product, quick ? { seconds: 5, messages: 200 } : { seconds: 20, messages: 2000 }),
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
      run: (product) => crowds(product, turns),
    },
    {
      letter: 'f',
      name: 'beside alerts of another space',
      run: (product) =>
        besideAlerts(product, quick ? { ...turns, alerts: 1000 } : { ...turns, alerts: 3000 }),
    },
    {
      letter: 'f',
      name: 'beside a recovery of another space',
      run: (product) => besideRecovery(product, { ...turns, deliveries: quick ? 10_000 : 100_000 }),
    },
    {
      letter: 'f',
      name: 'beside an import of another space',
      run: (product) => besideImport(product, turns),
    },
    {
      letter: 'n',
      name: 'beside installations of an app',
      run: (product) => installs(product, { seconds: quick ? 6 : 30 }),
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
      letter: 'h',
      name: 'agents and approvals',
      run: (product) =>
        agents(product, {
          runs: 200,
          ...(quick
            ? { stops: 20, decisions: 20, seconds: 3, calls: 100 }
            : { stops: 200, decisions: 200, seconds: 8, calls: 1000 }),
        }),
    },
    {
      letter: 'r',
      name: 'recoveries',
      run: (product) =>
        recovery(product, { deliveries: quick ? 10_000 : 100_000, floorDeliveries: scale.deliveries }),
    },
    { letter: 'o', name: 'opening the console', once: true, run: (product) => opening(product, scale) },
    {
      letter: 'e',
      name: 'event streams',
      run: (product) => streams(product, { rounds: scale.rounds, streams: 5000 }),
    },
  ];
}

/** @param {{ on: string } & Row} row */
function line({ on, row, ours, floor, ratio, target }) {
  const wanted = typeof target === 'number' ? `>= ${target}` : target;
  return `| ${on} | ${row} | ${ours} | ${floor} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${wanted} |`;
}

/** @param {import('../run.mjs').Session} session */
export async function run({ args, stop, say }) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      check: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      on: { type: 'string', default: 'postgres,redis' },
      peers: { type: 'string' },
    },
  });
  if (values.peers) {
    const scale = { rates: [100, 500, 1000], seconds: values.quick ? 5 : 30, burst: 5000 };
    console.log(`\n${machine()}\n\n${await comparePeers(parsePeers(values.peers), scale, say)}`);
    return [];
  }
  const only = values.only ?? (values.check ? PROMISES.map((one) => one.only).join('') : ALL);
  const wanted = groupsOf(values.quick).filter(({ letter }) => only.includes(letter));
  /** @type {({ on: string } & Row)[]} */
  const rows = [];

  /**
   * Runs a group and prints its rows.
   * @param {string} on @param {string} name @param {() => Promise<Row | Row[]>} work
   */
  const show = async (on, name, work) => {
    if (stop.aborted) return;
    say(`${on}: ${name} …`);
    for (const row of [await work()].flat()) {
      rows.push({ on, ...row });
      say(line({ on, ...row }));
    }
  };

  /**
   * Runs the groups, each with its own servers: a backlog that a group leaves behind costs time,
   * and its deliveries may reach the next group's receivers, whose ports were used before.
   * @param {string} on @param {() => ReturnType<typeof startRedis>} [startQueue]
   */
  const measure = async (on, startQueue) => {
    for (const group of wanted.filter(({ once }) => !(once && startQueue))) {
      if (stop.aborted) return;
      const redis = await startQueue?.();
      const product = await Product.create({ redisUrl: redis?.url });
      try {
        await show(on, group.name, () => group.run(product));
      } finally {
        await product.close();
        await redis?.stop();
      }
    }
  };

  if (values.on.includes('postgres')) await measure('Postgres');
  // The tables that grow are in PostgreSQL, with or without Redis.
  if (values.on.includes('postgres') && only.includes('g'))
    await show('Postgres', 'growth', () => growth(growthOf(values.quick)));
  if (values.on.includes('redis')) {
    if (hasRedis()) await measure('Postgres + Redis', startRedis);
    else say('No redis-server on the PATH: the rows with Redis are left out.');
  }

  console.log(`\n${machine()}\n`);
  console.log('| on | what | Tieline | floor of the same run | ratio | wanted |\n|---|---|---|---|---|---|');
  for (const row of rows) console.log(line(row));
  return values.check ? brokenPromises(rows) : [];
}

const machine = () => `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;

/** @param {boolean} quick */
const growthOf = (quick) =>
  quick
    ? { rounds: 3, works: 40, sizes: [1_000, 100_000] }
    : { rounds: 15, works: 40, sizes: [1_000, 100_000, 1_000_000] };
