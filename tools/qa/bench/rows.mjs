// The rows of the table. Each takes its floor in the same run, in turns with the product, and
// answers medians.
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop, median, openLoop, quantile, statsOf } from './load.mjs';
import { startFloor } from './peers/floor.mjs';
import { promised } from './promises.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';

const CONCURRENCY = 64;
const CHANNELS = 200;
/** The rate of the promise `event-cpu`. */
const PROMISED_RATE = 100;
/** The text of a timed message, about 400 letters with the time. */
const FILL = 'x'.repeat(380);

/** A bot's message, into one channel after the other. */
export const messageRequest =
  ({ token, channels }, text) =>
  (n) => ({
    path: '/api/v1/bot/messages',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ conversation_id: channels[n % channels.length], content: `${text} ${n}` }),
  });

/**
 * (a) durable bot messages per second through the HTTP API, against bare Fastify + pg running one
 * prepared CTE.
 */
export async function messages(product, { rounds, seconds }) {
  const api = await product.start('api');
  const workspace = await createWorkspace(api.url, CHANNELS);
  const floor = await startScript('tools/qa/bench/floor-messages.mjs', [], {
    DATABASE_URL: product.postgres.url,
  });
  const floorUrl = `http://127.0.0.1:${floor.info.port}`;
  const body = JSON.stringify({ content: 'a message of the bench' });
  const floorRequest = () => ({ path: '/messages', headers: { 'content-type': 'application/json' }, body });
  const ours = [];
  const theirs = [];
  for (let round = -1; round < rounds; round += 1) {
    const length = round < 0 ? 2 : seconds;
    const floorRun = await closedLoop({
      origin: floorUrl,
      concurrency: CONCURRENCY,
      seconds: length,
      request: floorRequest,
    });
    const run = await closedLoop({
      origin: api.url,
      concurrency: CONCURRENCY,
      seconds: length,
      request: messageRequest(workspace, 'a message of the bench'),
    });
    if (run.failures > 0) throw new Error(`${run.failures} messages were refused`);
    if (round < 0) continue;
    theirs.push(floorRun);
    ours.push(run);
  }
  await floor.stop();
  await api.stop();
  const ratios = ours.map((run, i) => run.perSecond / theirs[i].perSecond);
  return {
    row: 'bot messages/s over HTTP',
    ours: `${Math.round(median(ours.map((r) => r.perSecond)))}/s, p99 ${median(ours.map((r) => r.p99)).toFixed(1)} ms`,
    floor: `${Math.round(median(theirs.map((r) => r.perSecond)))}/s, p99 ${median(theirs.map((r) => r.p99)).toFixed(1)} ms`,
    ratio: median(ratios),
    target: promised('messages'),
  };
}

/**
 * (b) deliveries drained per second with the full log, against one BullMQ job + undici + one UPDATE
 * per delivery.
 */
export async function drain(product, { rounds, deliveries }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const workspace = await createWorkspace(api.url, CHANNELS);
  for (const channel of workspace.channels) await subscribe(api.url, workspace, receiverUrl, channel);
  const db = new pg.Pool({ connectionString: product.postgres.url, max: 2 });
  const ours = [];
  const theirs = [];
  for (let round = 0; round < rounds; round += 1) {
    const floor = await startScript(
      'tools/qa/bench/floor-deliveries.mjs',
      [String(deliveries), receiverUrl],
      {
        DATABASE_URL: product.postgres.url,
        REDIS_URL: product.env.REDIS_URL,
      },
    );
    theirs.push(floor.info.perSecond);
    await floor.stop();
    ours.push(await drainOnce(product, { api, workspace, db, receiverUrl, deliveries }));
  }
  await db.end();
  await api.stop();
  await receiver.stop();
  const ratios = ours.map((n, i) => n / theirs[i]);
  return {
    row: 'deliveries drained/s, full log',
    ours: `${Math.round(median(ours))}/s`,
    floor: `${Math.round(median(theirs))}/s`,
    ratio: median(ratios),
    target: promised('deliveries'),
  };
}

/**
 * Fills the delivery queue while no worker runs its engine, then times a worker from its first
 * claim to the last result.
 */
async function drainOnce(product, { api, workspace, db, receiverUrl, deliveries }) {
  const request = messageRequest(workspace, 'to be delivered');
  await openLoopAll(api.url, deliveries, request);
  await planAll(product, db, receiverUrl);
  const worker = await product.start('worker');
  await waitUntil(async () => (await db.query('SELECT 1 FROM delivery_queue LIMIT 1')).rowCount === 0);
  const { rows } = await db.query(
    "SELECT count(*)::int AS n, extract(epoch FROM max(finished_at) - min(a.at)) AS seconds FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id WHERE d.created_at > now() - interval '10 minutes' AND d.finished_at >= $1",
    [drainOnce.since],
  );
  await worker.stop();
  drainOnce.since = new Date();
  if (rows[0].n !== deliveries) throw new Error(`${rows[0].n} of ${deliveries} deliveries were logged`);
  return deliveries / Number(rows[0].seconds);
}
drainOnce.since = new Date(0);

async function openLoopAll(url, total, request) {
  const { failures } = await openLoop({ origin: url, perSecond: 2000, seconds: total / 2000, request });
  if (failures > 0) throw new Error(`${failures} messages were refused`);
}

/** Runs a worker until everything is planned. It sends nothing, because all breakers are open. */
async function planAll(product, db, receiverUrl) {
  await db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     SELECT id, space_id, 'outgoing', 10, now() + interval '1 hour' FROM outgoing_webhooks`,
  );
  await fetch(`${receiverUrl}/reset`);
  const worker = await product.start('worker');
  await waitUntil(async () => (await db.query('SELECT 1 FROM outbox LIMIT 1')).rowCount === 0);
  await worker.stop();
  const { count } = await statsOf(receiverUrl);
  if (count > 0) throw new Error(`${count} deliveries were sent before the drain`);
  await db.query('DELETE FROM delivery_targets');
}

/** Resolves when the condition holds. */
export async function waitUntil(condition) {
  for (let tries = 0; !(await condition()); tries += 1) {
    if (tries > 6000) throw new Error('waited too long');
    await sleep(20);
  }
}

/**
 * (c) from the request that posts a message to the receiver's request, beside a floor that does the
 * same work without any rules, and (d) the memory of both processes after it.
 */
export async function latency(product, { seconds, rates }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const workspace = await createWorkspace(api.url, 50);
  for (const channel of workspace.channels) await subscribe(api.url, workspace, receiverUrl, channel);
  let n = 0;
  const ours = {
    origin: api.url,
    request: (text) => messageRequest(workspace, text)(n++),
    cpuMs: async () => (await api.cpuMs()) + (await worker.cpuMs()),
  };
  const floor = await startFloor(product.postgres.url, receiverUrl);
  // The first events open connections and compile code.
  for (const peer of [ours, floor]) await timed(peer, receiverUrl, 200, seconds);
  const rows = [];
  for (const { perSecond, p50, p99 } of rates) {
    const [a, b] = [
      await timed(ours, receiverUrl, perSecond, seconds),
      await timed(floor, receiverUrl, perSecond, seconds),
    ];
    rows.push({
      row: `request to receiver at ${perSecond}/s`,
      ours: `p50 ${a.p50.toFixed(1)} ms, p99 ${a.p99.toFixed(1)} ms`,
      floor: `p50 ${b.p50.toFixed(1)} ms, p99 ${b.p99.toFixed(1)} ms`,
      ratio: undefined,
      target: `aim ${p50} / ${p99} ms`,
    });
    rows.push({
      row: `processor time of api and worker per event at ${perSecond}/s`,
      ours: `${a.cpuMs.toFixed(2)} ms`,
      floor: `${b.cpuMs.toFixed(2)} ms`,
      ratio: b.cpuMs / a.cpuMs,
      target: perSecond === PROMISED_RATE ? promised('event-cpu') : '',
    });
  }
  const memory = {
    row: 'memory after it (RSS)',
    ours: `api ${Math.round(await api.rssMb())} MB, worker ${Math.round(await worker.rssMb())} MB`,
    floor: `this process ${Math.round(process.memoryUsage().rss / 1048576)} MB`,
    ratio: undefined,
    target: '',
  };
  await floor.stop();
  await worker.stop();
  await api.stop();
  await receiver.stop();
  return [...rows, memory];
}

/**
 * @param {Required<import('./peers/peers.mjs').Peer>} peer
 * @returns times of an open-loop load, in milliseconds
 */
async function timed({ origin, request, cpuMs }, receiverUrl, perSecond, seconds) {
  await sleep(1000);
  await fetch(`${receiverUrl}/reset`);
  const before = await cpuMs();
  const publish = () => request(`sent_at=${performance.timeOrigin + performance.now()}; ${FILL}`);
  const { total, failures } = await openLoop({ origin, perSecond, seconds, request: publish });
  let stats;
  await waitUntil(async () => (stats = await statsOf(receiverUrl)).count >= total - failures);
  const spent = ((await cpuMs()) - before) / (total - failures);
  return { p50: quantile(stats.ages, 0.5), p99: quantile(stats.ages, 0.99), cpuMs: spent };
}
