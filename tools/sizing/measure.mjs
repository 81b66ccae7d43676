/**
 * `npm run sizing -- --measure`: what a message, a delivery and an incoming post cost on this
 * machine in processor time, disk and WAL, measured at a steady rate well below the limit. The
 * result goes into `costs.mjs` by hand: it is of one machine and one day.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openLoop } from '../bench/load.mjs';
import { cpuMs, createWorkspace, Product, startScript, subscribe } from '../bench/product.mjs';
import { build } from '../build.mjs';

const CHANNELS = 20;
const PER_SECOND = 400;
const SECONDS = 20;
/** As long as what people and bots write on average. */
const TEXT = 'x'.repeat(200);
const LOG = ['deliveries', 'delivery_attempts', 'delivery_payloads'];

await build();
const undo = [];
try {
  console.log(JSON.stringify(await measure(), undefined, 2));
} finally {
  for (const step of undo.reverse()) await step();
}

async function measure() {
  const product = await Product.create();
  undo.push(() => product.close());
  const receiver = await startScript('tools/bench/receiver.mjs', [], {});
  undo.push(() => receiver.stop());
  const api = await product.start('api');
  undo.push(() => api.stop());
  const worker = await product.start('worker');
  undo.push(() => worker.stop());
  const db = new pg.Pool({ connectionString: product.env.DATABASE_URL, max: 1 });
  undo.push(() => db.end());
  const workspace = await createWorkspace(api.url, CHANNELS);
  const parts = { api, worker, db, workspace };
  await posted(parts, 3);
  const alone = await posted(parts, SECONDS);
  for (const channel of workspace.channels)
    await subscribe(api.url, workspace, `http://127.0.0.1:${receiver.info.port}/hook`, channel);
  await posted(parts, 3);
  const delivered = await posted(parts, SECONDS);
  const perDelivery = Object.fromEntries(
    Object.entries(delivered).map(([name, value]) => [name, Math.max(0, value - alone[name])]),
  );
  await worker.stop();
  await posted({ ...parts, untilDelivered: false }, SECONDS);
  return {
    message: rounded(alone),
    delivery: rounded(perDelivery),
    plannedPerSecond: await planned(product, db),
  };
}

/**
 * How many events the relay of a fresh worker plans in a second, one delivery each, while it sends
 * as well.
 */
async function planned(product, db) {
  const left = async () => (await db.query('SELECT count(*)::int AS n FROM outbox')).rows[0].n;
  const all = await left();
  const starting = product.start('worker');
  while ((await left()) === all) await sleep(2);
  const [begun, first] = [performance.now(), await left()];
  while ((await left()) > 0) await sleep(5);
  const seconds = (performance.now() - begun) / 1000;
  const worker = await starting;
  await worker.stop();
  return Math.round(first / seconds);
}

function rounded(costs) {
  return Object.fromEntries(
    Object.entries(costs).map(([name, value]) => [name, Number(value.toPrecision(3))]),
  );
}

/**
 * Posts at a steady rate and waits until all is delivered. @returns costs of one message, with what
 * follows from it
 */
async function posted({ api, worker, db, workspace, untilDelivered = true }, seconds) {
  const { channels, token } = workspace;
  const before = await state({ api, worker, db });
  const { total } = await openLoop({
    origin: api.url,
    perSecond: PER_SECOND,
    seconds,
    request: (n) => ({
      path: '/api/v1/bot/messages',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversation_id: channels[n % channels.length], content: `${n} ${TEXT}` }),
    }),
  });
  while (untilDelivered) {
    const { rows } = await db.query('SELECT 1 FROM outbox UNION ALL SELECT 1 FROM delivery_queue LIMIT 1');
    if (rows.length === 0) break;
    await sleep(100);
  }
  const after = await state({ api, worker, db });
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - before[name]) / total]),
  );
}

/** Resources used so far. The server's CPU time is that of its processes. */
async function state({ api, worker, db }) {
  const { rows } = await db.query(
    `SELECT pg_total_relation_size('messages')::float8 AS messages, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal,
       (SELECT sum(pg_total_relation_size(inhrelid))::float8 FROM pg_inherits WHERE inhparent = ANY($1::text[]::regclass[])) AS log,
       (SELECT array_agg(pid) FROM pg_stat_activity) AS pids`,
    [LOG],
  );
  const [{ messages, wal, log, pids }] = rows;
  const server = await Promise.all(pids.map((pid) => cpuMs(pid).catch(() => 0)));
  return {
    apiMs: await api.cpuMs(),
    workerMs: await worker.cpuMs().catch(() => 0),
    postgresMs: server.reduce((sum, ms) => sum + ms, 0),
    messageBytes: messages,
    logBytes: log,
    walBytes: wal,
  };
}
