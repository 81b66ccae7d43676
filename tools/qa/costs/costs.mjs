/**
 * `npm run costs`: counts what PostgreSQL does for one event from the bot's request to the
 * receiver's response, and for an idle installation. The counts do not depend on the machine.
 *
 *   npm run costs                    100 events per second for 20 seconds, one receiver
 *   npm run costs -- --rate 1000     another rate
 *   npm run costs -- --alone         one event after another, so that none share a transaction
 *   npm run costs -- --push          the receiver is a bot's webhook instead of a subscription
 *   npm run costs -- --idle          only the idle installation
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../postgres/server.mjs';
import { migrateAt, Product, startScript } from '../product.mjs';
import { openLoop, quantile, statsOf } from '../bench/load.mjs';
import { messageRequest, waitUntil } from '../bench/rows.mjs';
import { createBot, createWorkspace, subscribe } from '../world.mjs';
import { counted, COUNTING, difference, prepareCounting, REPORTED_MS } from './server-counts.mjs';

export const PROMISE = 'everything was counted';

const CHANNELS = 20;
const EVENT_BYTES = 400;

/**
 * @typedef {ReturnType<typeof difference>} Costs
 * @typedef {object} Measured
 * @property {Costs} idle per second, of api and worker together
 * @property {Costs} event per event, with the background work of its time
 * @property {{ p50: number, p99: number }} ages from commit to receiver, in milliseconds
 * @property {Record<string, number>} cpuMs per event and program
 */

/**
 * Starts an installation with a durable PostgreSQL and measures it.
 * @param {{ perSecond: number, seconds: number, push?: boolean, redisUrl?: string }} load without
 * `perSecond`, one event after another
 * @returns {Promise<Measured>}
 */
export async function measureCosts({ perSecond, seconds, push = false, redisUrl }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-costs-'));
  const postgres = await startPostgres({ dataDir, rights: 'superuser', settings: COUNTING, throwAway: true });
  migrateAt(postgres.url);
  const product = await Product.create({ postgres, redisUrl });
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  try {
    const programs = { api: await product.start('api'), worker: await product.start('worker') };
    const workspace = await createWorkspace(programs.api.url, CHANNELS);
    const settings = {
      event_types: ['MESSAGE_CREATED'],
      event_delivery_mode: 'webhook',
      webhook_url: receiverUrl,
    };
    if (push) await createBot(programs.api.url, workspace.owner, 'receiver', settings);
    else await subscribe(programs.api.url, workspace, receiverUrl, '', { channel_ids: undefined });
    await client.connect();
    await prepareCounting(client);
    const request = messageRequest(workspace, 'x'.repeat(EVENT_BYTES));
    /** @param {number} length in seconds */
    const load = async (length) => {
      await fetch(`${receiverUrl}/reset`);
      if (perSecond === 0) return oneByOne(programs.api.url, receiverUrl, request, length);
      const { total, failures } = await openLoop({
        origin: programs.api.url,
        perSecond,
        seconds: length,
        request,
      });
      if (failures > 0) throw new Error(`${failures} messages were refused`);
      await waitUntil(async () => (await statsOf(receiverUrl)).count >= total);
      return total;
    };
    await load(5);
    const start = await counted(client);
    const before = await counted(client);
    const idle = difference(start, before, (before.at - start.at) / 1000);
    const used = await Promise.all([programs.api.cpuMs(), programs.worker.cpuMs()]);
    const begun = performance.now();
    const events = await load(seconds);
    const loadSeconds = (performance.now() - begun) / 1000;
    const [apiMs, workerMs] = (await Promise.all([programs.api.cpuMs(), programs.worker.cpuMs()])).map(
      (ms, n) => (ms - used[n]) / events,
    );
    const { ages } = await statsOf(receiverUrl);
    const after = await counted(client);
    // Events that follow one another take long, and their background work is not theirs.
    const idleSeconds = (after.at - before.at) / 1000 - (perSecond === 0 ? 0 : loadSeconds);
    return {
      idle,
      event: without(difference(before, after, events), idle, idleSeconds / events),
      ages: { p50: quantile(ages, 0.5), p99: quantile(ages, 0.99) },
      cpuMs: { api: apiMs, worker: workerMs },
    };
  } finally {
    await client.end().catch(() => undefined);
    await receiver.stop();
    await product.close();
  }
}

/** Length of the idle time, without that in which sessions report, in milliseconds. */
const IDLE_MS = 10_000;
const MINUTE_MS = 60_000;
/** Time after a full minute in which its duties have begun. */
const DUTIES_MS = 3_000;
/** With more statements than this in a second, duties of the minute are still running. */
const QUIET = 4;
/** A look at one second. */
const LOOK_MS = 1_000 + REPORTED_MS;
/** The idle time and the count after it. */
const MEASURING_MS = IDLE_MS + REPORTED_MS;
/** The first look with the count before it, and the idle time. */
const WHOLE_MS = REPORTED_MS + LOOK_MS + MEASURING_MS + 3_000;

/**
 * Measures an api and a worker that get no request, between two full minutes: duties with an
 * interval run at full minutes, and how many of them do depends on the time of the day.
 * @returns {Promise<Costs>} per second, of both together
 */
export async function measureIdle() {
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-costs-'));
  // The server's own transactions depend on time.
  const settings = { ...COUNTING, autovacuum: 'off' };
  const postgres = await startPostgres({ dataDir, rights: 'superuser', settings, throwAway: true });
  migrateAt(postgres.url);
  const product = await Product.create({ postgres });
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  try {
    await product.start('api');
    await product.start('worker');
    await client.connect();
    await prepareCounting(client);
    await workerRegisters(client);
    await minuteBegins();
    const start = await dutiesEnd(client);
    await sleep(IDLE_MS);
    const end = await counted(client);
    return difference(start, end, (end.at - start.at) / 1000);
  } finally {
    await client.end().catch(() => undefined);
    await product.close();
  }
}

/**
 * Waits until the worker has its number, which it draws once, at its first claim or within a minute
 * of its start.
 * @param {pg.Client} client
 */
async function workerRegisters(client) {
  await waitUntil(async () => (await client.query('SELECT 1 FROM delivery_workers')).rows.length > 0);
}

/** Waits until the duties of a full minute have begun and a measurement ends before the next. */
async function minuteBegins() {
  const passed = Date.now() % MINUTE_MS;
  if (passed < DUTIES_MS) await sleep(DUTIES_MS - passed);
  else if (passed > MINUTE_MS - WHOLE_MS) await sleep(MINUTE_MS - passed + DUTIES_MS);
}

/**
 * Waits for a quiet second: on a busy machine, the duties of a minute can take long. Gives up when
 * the next minute is near, and what is measured then shows why.
 * @param {pg.Client} client
 * @returns {Promise<import('./server-counts.mjs').Counts>} the counts at the end of that second
 */
async function dutiesEnd(client) {
  for (let before = await counted(client); ;) {
    await sleep(1000);
    const now = await counted(client);
    const isQuiet = difference(before, now, (now.at - before.at) / 1000).statements <= QUIET;
    if (isQuiet || Date.now() % MINUTE_MS > MINUTE_MS - LOOK_MS - MEASURING_MS) return now;
    before = now;
  }
}

/** Time in which a result is written, in milliseconds. */
const SETTLED_MS = 20;

/**
 * Number of events that are posted at least, however slow the machine is. The first events of an
 * installation also create pages and maps of free space, and what a page costs is averaged.
 */
const LEAST_EVENTS = 100;

/**
 * Posts an event when the one before it was received and settled.
 * @param {string} url @param {string} receiverUrl
 * @param {ReturnType<typeof messageRequest>} request @param {number} seconds
 * @returns {Promise<number>} the number of events
 */
async function oneByOne(url, receiverUrl, request, seconds) {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < end || count < LEAST_EVENTS) {
    const { path, headers, body } = request(count);
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`the message was answered with ${answer.status}`);
    count += 1;
    await waitUntil(async () => (await statsOf(receiverUrl)).count >= count);
    await sleep(SETTLED_MS);
  }
  return count;
}

/**
 * Takes the idle time that the counts include out of them.
 * @param {Costs} costs @param {Costs} idle per second @param {number} seconds
 * @returns {Costs}
 */
function without(costs, idle, seconds) {
  const idleCalls = new Map(idle.rows.map(({ query, calls }) => [query, calls]));
  const rows = costs.rows.map((row) => ({
    ...row,
    calls: row.calls - seconds * (idleCalls.get(row.query) ?? 0),
  }));
  return {
    rows: rows.sort((a, b) => b.calls - a.calls),
    statements: costs.statements - seconds * idle.statements,
    transactions: costs.transactions - seconds * idle.transactions,
    syncs: costs.syncs - seconds * idle.syncs,
    walBytes: costs.walBytes - seconds * idle.walBytes,
  };
}

/** @param {string} title @param {Costs} costs @param {number} least calls of a row that is shown */
export function table(title, costs, least) {
  const sums = [
    `${costs.statements.toFixed(2)} statements`,
    `${costs.transactions.toFixed(2)} transactions`,
    `${costs.syncs.toFixed(2)} syncs`,
    `${(costs.walBytes / 1024).toFixed(2)} KB of WAL`,
  ];
  const shown = costs.rows.filter(({ calls }) => calls >= least);
  const rows = shown.map(
    ({ query, calls, ms, planMs, wal }) =>
      `| ${calls.toFixed(2)} | ${ms.toFixed(3)} | ${planMs.toFixed(3)} | ${Math.round(wal)} | ${query.replace(/\s+/g, ' ').slice(0, 110)} |`,
  );
  return [
    `${title}: ${sums.join(', ')}`,
    '| calls | run ms | plan ms | WAL bytes | statement |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** @param {import('../run.mjs').Session} session */
export async function run({ args, say }) {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '20' },
      push: { type: 'boolean', default: false },
      alone: { type: 'boolean', default: false },
      idle: { type: 'boolean', default: false },
    },
  });
  if (values.idle) {
    say(table('idle, per second', await measureIdle(), 0.01));
    return [];
  }
  const { rate, seconds, push, alone } = values;
  const { idle, event, ages, cpuMs } = await measureCosts({
    perSecond: alone ? 0 : Number(rate),
    seconds: Number(seconds),
    push,
  });
  say(table('idle, per second', idle, 0.05));
  say(table(alone ? 'per event alone' : `per event at ${rate}/s`, event, 0.02));
  say(`commit to receiver p50 ${ages.p50.toFixed(1)} ms, p99 ${ages.p99.toFixed(1)} ms`);
  say(`processor time per event: api ${cpuMs.api.toFixed(2)} ms, worker ${cpuMs.worker.toFixed(2)} ms`);
  return [];
}
