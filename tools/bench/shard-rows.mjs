// Benefit and cost of several relays that share the outbox: RELAY_SHARDS workers with one shard
// each.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ages } from './ages.mjs';
import { openLoop } from './load.mjs';
import { cpuMs, createWorkspace, startScript, subscribe } from './product.mjs';
import { messageRequest, waitUntil } from './rows.mjs';

const SHARDS = [1, 2, 4];
const SPACES = 24;
const CHANNELS = 4;
const PER_SECOND = 200;
const BATCH = 500;
/** The lock that every planning transaction waits for; the number is in libs/background. */
const PLANNING = 7_130_004;

/**
 * (h) events planned per second out of a backlog, one delivery each, with their processor time, and
 * from commit to receiver at a steady rate. The floor of planning is one session that moves as many
 * rows from one table to another; of the latency, one relay in the same run.
 */
export async function shards(product, size) {
  const receiver = await startScript('tools/bench/receiver.mjs', [], {});
  const db = new pg.Pool({ connectionString: product.postgres.url, max: 2 });
  try {
    return await measured(product, receiver, db, size);
  } finally {
    await db.end();
    await receiver.stop();
  }
}

async function measured(product, receiver, db, { events, seconds }) {
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const spaces = [];
  for (let n = 0; n < SPACES; n += 1) {
    const space = await createWorkspace(api.url, CHANNELS);
    for (const channel of space.channels) await subscribe(api.url, space, receiverUrl, channel);
    spaces.push(messageRequest(space, 'of a shard'));
  }
  const request = (n) => spaces[n % SPACES](Math.floor(n / SPACES));
  const [rows, alone] = [[], {}];
  for (const count of SHARDS) {
    const floor = await moved(db, events);
    const workers = await startWorkers(product, count);
    const planned = await plannedOf({ api, db, workers, request, events });
    await ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds: 2, request });
    const { p50, p99 } = await ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
    for (const worker of workers) await worker.stop();
    alone.latency ??= `with one relay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    rows.push({
      row: `events planned/s by ${count} ${count === 1 ? 'relay' : 'relays, a worker each'}`,
      ours: `${Math.round(planned.perSecond)}/s; of an event worker ${planned.workerMs.toFixed(2)} ms, PostgreSQL ${planned.postgresMs.toFixed(2)} ms`,
      floor: `${Math.round(floor)} rows/s moved by one session`,
      ratio: planned.perSecond / floor,
      target: '',
    });
    rows.push({
      row: `commit to receiver at ${PER_SECOND}/s with ${count}`,
      ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      floor: count === 1 ? '' : alone.latency,
      ratio: undefined,
      target: '',
    });
  }
  await api.stop();
  return rows;
}

async function startWorkers(product, count) {
  Object.assign(product.env, { RELAY_SHARDS: String(count) });
  const workers = await Promise.all(Array.from({ length: count }, () => product.start('worker')));
  const slotsOf = async ({ url }) =>
    Number(
      /^tieline_outbox_relay_slots\S* (\d+)$/m.exec(await fetch(`${url}/metrics`).then((r) => r.text()))?.[1],
    );
  await waitUntil(async () =>
    (await Promise.all(workers.map(slotsOf))).every((slots) => slots === 16 / count),
  );
  return workers;
}

/**
 * Holds all planning up until everything is in the outbox, then times it; what is planned is not
 * sent.
 */
async function plannedOf({ api, db, workers, request, events }) {
  await db.query(
    "ALTER TABLE delivery_queue ALTER COLUMN due_at SET DEFAULT clock_timestamp() + interval '1 hour'",
  );
  const gate = await db.connect();
  let [before, begun] = [undefined, 0];
  try {
    await gate.query('SELECT pg_advisory_lock($1)', [PLANNING]);
    const { failures } = await openLoop({
      origin: api.url,
      perSecond: 1500,
      seconds: events / 1500,
      request,
    });
    if (failures > 0) throw new Error(`${failures} messages were refused`);
    await sleep(500);
    before = await used(db, workers);
    begun = performance.now();
    await gate.query('SELECT pg_advisory_unlock($1)', [PLANNING]);
  } finally {
    gate.release(true);
  }
  await waitUntil(async () => (await db.query('SELECT 1 FROM outbox LIMIT 1')).rowCount === 0);
  const tookMs = performance.now() - begun;
  const after = await used(db, workers);
  await db.query('TRUNCATE delivery_queue');
  await db.query('ALTER TABLE delivery_queue ALTER COLUMN due_at SET DEFAULT clock_timestamp()');
  return {
    perSecond: (1000 * events) / tookMs,
    workerMs: (after.workers - before.workers) / events,
    postgresMs: (after.postgres - before.postgres) / events,
  };
}

/** Processor time so far, in milliseconds. */
async function used(db, workers) {
  const sum = (all) => all.reduce((one, other) => one + other, 0);
  const { rows } = await db.query('SELECT pid FROM pg_stat_activity');
  return {
    workers: sum(await Promise.all(workers.map((worker) => worker.cpuMs()))),
    postgres: sum(await Promise.all(rows.map(({ pid }) => cpuMs(pid).catch(() => 0)))),
  };
}

/**
 * Rows per second that one session takes out of a table, in order, and writes into another, a batch
 * per transaction.
 */
async function moved(db, count) {
  await db.query(
    'CREATE TABLE bench_from (id bigint PRIMARY KEY, payload text); CREATE TABLE bench_to (LIKE bench_from INCLUDING ALL)',
  );
  await db.query("INSERT INTO bench_from SELECT n, repeat('x', 500) FROM generate_series(1, $1::int) n", [
    count,
  ]);
  const begun = performance.now();
  const take = `WITH taken AS (DELETE FROM bench_from WHERE id = ANY(ARRAY(SELECT id FROM bench_from ORDER BY id LIMIT ${BATCH})) RETURNING *) INSERT INTO bench_to SELECT * FROM taken`;
  while ((await db.query({ name: 'move', text: take })).rowCount > 0);
  const seconds = (performance.now() - begun) / 1000;
  await db.query('DROP TABLE bench_from, bench_to');
  return count / seconds;
}
