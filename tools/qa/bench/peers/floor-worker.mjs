// The second process of the floor (floor.mjs): takes events, stores their deliveries in the same
// durable transaction, sends them signed, and records each result without waiting for the disk.
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { Pool } from 'undici';

const TAKE = `
  WITH taken AS (
    DELETE FROM floor.outbox
    WHERE message_id IN (SELECT message_id FROM floor.outbox LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING message_id
  )
  SELECT m.* FROM taken JOIN floor.messages m ON m.id = message_id`;
const PLAN = 'INSERT INTO floor.deliveries (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])';
const SETTLE = `
  UPDATE floor.deliveries SET status = $2
  FROM (SELECT set_config('synchronous_commit', 'off', true)) s WHERE id = $1`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const receiver = new Pool(process.env.RECEIVER ?? '', { connections: 16 });

/** @param {string} id @param {string} body */
async function send(id, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = createHmac('sha256', 'secret').update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed}`,
  };
  const response = await receiver.request({ method: 'POST', path: '/', headers, body });
  await response.body.text();
  await pool.query({ name: 'settle', text: SETTLE, values: [id, response.statusCode] });
}

/** Plans up to 100 events. Returns how many. */
async function plan() {
  const client = await pool.connect();
  try {
    void client.query('BEGIN');
    const { rows } = await client.query({ name: 'take', text: TAKE });
    const deliveries = rows.map(({ id, text }) => ({ id, body: JSON.stringify({ id, message: { text } }) }));
    const values = [deliveries.map(({ id }) => id), deliveries.map(({ body }) => body)];
    if (deliveries.length > 0) void client.query({ name: 'plan', text: PLAN, values });
    await client.query('COMMIT');
    for (const { id, body } of deliveries) void send(id, body);
    return deliveries.length;
  } finally {
    client.release();
  }
}

let isRunning = false;
let isWoken = false;
connect(process.env.SOCKET ?? '').on('data', async () => {
  isWoken = true;
  if (isRunning) return;
  isRunning = true;
  while (isWoken) {
    isWoken = false;
    while ((await plan()) > 0);
  }
  isRunning = false;
});
console.log(JSON.stringify({ port: 0 }));
