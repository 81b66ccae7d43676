// The floor of the message rows: bare Fastify and one prepared CTE that locks a counter and inserts
// a message and an outbox row, durably. Runs as a separate process and prints its port.
import Fastify from 'fastify';
import { portOf } from '../receiver.mjs';
import pg from 'pg';

const SETUP = `
  DROP SCHEMA IF EXISTS floor CASCADE; CREATE SCHEMA floor;
  CREATE TABLE floor.conversations (id uuid PRIMARY KEY, last_msg_index bigint NOT NULL DEFAULT 0);
  CREATE TABLE floor.messages (id uuid PRIMARY KEY, conversation_id uuid NOT NULL, msg_index bigint NOT NULL, author_id uuid NOT NULL, text text NOT NULL, sent_at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE floor.outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL);
  INSERT INTO floor.conversations SELECT gen_random_uuid() FROM generate_series(1, 200);`;

const WRITE = `
  WITH c AS (UPDATE floor.conversations SET last_msg_index = last_msg_index + 1 WHERE id = $1 RETURNING last_msg_index),
       m AS (INSERT INTO floor.messages (id, conversation_id, msg_index, author_id, text) SELECT $2, $1, last_msg_index, $3, $4 FROM c RETURNING msg_index),
       o AS (INSERT INTO floor.outbox (payload) SELECT $5 FROM m)
  SELECT msg_index FROM m`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 });
await pool.query(SETUP);
const conversations = (await pool.query('SELECT id FROM floor.conversations')).rows.map((row) => row.id);
const fastify = Fastify();
let n = 0;
fastify.post('/messages', async (request) => {
  const id = crypto.randomUUID();
  const { content } = /** @type {{ content: string }} */ (request.body);
  const conversation = conversations[n++ % conversations.length];
  const payload = JSON.stringify({
    event_type: 'MESSAGE_CREATED',
    message_id: id,
    conversation_id: conversation,
    text: content,
  });
  await pool.query({
    name: 'write',
    text: WRITE,
    values: [conversation, id, conversation, content, payload],
  });
  return { ok: true, message_id: id };
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ port: portOf(fastify.server) }));
