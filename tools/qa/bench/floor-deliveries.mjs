// The floor of the delivery rows: one BullMQ job per delivery, undici, one UPDATE per delivery with
// its log. Drains N jobs that are queued already; prints how long it took. BullMQ on Redis when
// REDIS_URL is set, else on Postgres.
import { createHmac } from 'node:crypto';
import { Queue, Worker, createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Pool } from 'undici';

const [total, receiver] = [Number(process.argv[2]), process.argv[3]];
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 });
let connection;
if (process.env.REDIS_URL) connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
else {
  setDefaultBackendFactory(createPostgresBackend);
  connection = { connectionString: process.env.DATABASE_URL, schema: 'bench_bullmq', migrate: true, max: 20 };
}

await pool.query(`CREATE SCHEMA IF NOT EXISTS floor; DROP TABLE IF EXISTS floor.deliveries;
  CREATE TABLE floor.deliveries (id int PRIMARY KEY, body bytea NOT NULL, status text NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0, status_code int, duration_ms int, finished_at timestamptz)`);
await pool.query('INSERT INTO floor.deliveries (id, body) SELECT n, $2 FROM generate_series(1, $1) n', [
  total,
  Buffer.alloc(900, 'x'),
]);

const prefix = { prefix: '{bench}' };
const queue = new Queue('floor', { connection, ...prefix });
await queue.obliterate({ force: true }).catch(() => undefined);
for (let n = 1; n <= total; n += 500) {
  await queue.addBulk(
    Array.from({ length: Math.min(500, total - n + 1) }, (_, i) => ({
      name: 'd',
      data: { id: n + i },
      opts: { removeOnComplete: true },
    })),
  );
}

const target = new Pool(receiver, { connections: 100, pipelining: 1 });
let done = 0;
let finish;
const finished = new Promise((resolve) => (finish = resolve));
const begun = performance.now();
const worker = new Worker(
  'floor',
  async ({ data }) => {
    const { rows } = await pool.query({
      name: 'body',
      text: 'SELECT body FROM floor.deliveries WHERE id = $1',
      values: [data.id],
    });
    const sent = performance.now();
    const signature = createHmac('sha256', 'secret').update(rows[0].body).digest('hex');
    const answer = await target.request({
      path: '/',
      method: 'POST',
      headers: { 'x-bench-age': 'no', 'x-signature': signature },
      body: rows[0].body,
    });
    await answer.body.dump();
    await pool.query({
      name: 'done',
      text: "UPDATE floor.deliveries SET status = 'success', attempts = attempts + 1, status_code = $2, duration_ms = $3, finished_at = now() WHERE id = $1",
      values: [data.id, answer.statusCode, Math.round(performance.now() - sent)],
    });
    done += 1;
    if (done === total) finish();
  },
  { connection, concurrency: 100, ...prefix },
);
await finished;
console.log(JSON.stringify({ perSecond: total / ((performance.now() - begun) / 1000) }));
await worker.close(true);
process.exit(0);
