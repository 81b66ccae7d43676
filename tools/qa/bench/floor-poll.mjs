// The floor of the polling row: bare Fastify and one prepared SELECT over 1,000 rows by primary
// key, without token, rate limit or other queues. Prints its port.
import Fastify from 'fastify';
import { portOf } from '../receiver.mjs';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 });
await pool.query(`CREATE SCHEMA IF NOT EXISTS floor; DROP TABLE IF EXISTS floor.records;
  CREATE TABLE floor.records (id bigint PRIMARY KEY, event_id uuid NOT NULL, event_type text NOT NULL, payload text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`);
await pool.query(
  "INSERT INTO floor.records (id, event_id, event_type, payload) SELECT n, gen_random_uuid(), 'MESSAGE_CREATED', $2 FROM generate_series(1, $1::int) n",
  [Number(process.argv[2]), process.argv[3]],
);
await pool.query('VACUUM ANALYZE floor.records');

const READ =
  'SELECT id::text, event_id, event_type, payload AS payload_json, created_at FROM floor.records WHERE id > $1 ORDER BY records.id LIMIT $2';
const fastify = Fastify();
fastify.get('/events', async (request) => {
  const query = /** @type {Record<string, string>} */ (request.query);
  const { rows } = await pool.query({ name: 'read', text: READ, values: [query.cursor, query.limit] });
  return { ok: true, events: rows, next_cursor: rows.at(-1)?.id ?? '' };
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ port: portOf(fastify.server) }));
