// The first process of the floor (floor.mjs): stores a message and its event in one durable
// statement, wakes the worker over a Unix socket, and answers. Prints its port.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { portOf } from '../../receiver.mjs';

const SETUP = `
  DROP SCHEMA IF EXISTS floor CASCADE; CREATE SCHEMA floor;
  CREATE TABLE floor.conversations (id int PRIMARY KEY, last_msg_index bigint NOT NULL DEFAULT 0);
  CREATE TABLE floor.messages (id uuid PRIMARY KEY, conversation_id int NOT NULL, msg_index bigint NOT NULL, text text NOT NULL, sent_at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE floor.outbox (message_id uuid PRIMARY KEY);
  CREATE TABLE floor.deliveries (id uuid PRIMARY KEY, body text NOT NULL, status int);
  INSERT INTO floor.conversations SELECT generate_series(0, 19);`;

const POST = `
  WITH c AS (UPDATE floor.conversations SET last_msg_index = last_msg_index + 1 WHERE id = $1 RETURNING last_msg_index),
       m AS (INSERT INTO floor.messages (id, conversation_id, msg_index, text) SELECT $2, $1, last_msg_index, $3 FROM c),
       o AS (INSERT INTO floor.outbox (message_id) SELECT $2 FROM c)
  SELECT last_msg_index FROM c`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
await pool.query(SETUP);
/** @type {Set<import('node:net').Socket>} */
const workers = new Set();
createServer((socket) => workers.add(socket)).listen(process.env.SOCKET);

let n = 0;
const fastify = Fastify();
fastify.post('/messages', async (request) => {
  const { text } = /** @type {{ text: string }} */ (request.body);
  const values = [n++ % 20, randomUUID(), text];
  const { rows } = await pool.query({ name: 'post', text: POST, values });
  for (const worker of workers) worker.write('\n');
  return { message_id: values[1], msg_index: rows[0].last_msg_index };
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ port: portOf(fastify.server) }));
