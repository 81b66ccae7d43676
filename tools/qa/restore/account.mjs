// Invariants of a restored Tieline: no committed data is lost, and only deliveries in flight are
// repeated.
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../calls.mjs';
import { withClient } from '../sql.mjs';

const PATHS = ['/hook', '/late'];
const DRAINED_WITHIN_MS = 60_000;

/**
 * @param {string} databaseUrl
 * @returns {Promise<Set<string>>} path and event id of the deliveries that a restored database does
 * not know to have arrived
 */
async function inFlight(databaseUrl) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT w.url, d.event_id FROM delivery_queue q JOIN deliveries d ON d.id = q.id JOIN outgoing_webhooks w ON w.id = q.target_id
       UNION ALL SELECT w.url, o.event_id FROM outbox o, outgoing_webhooks w`,
    );
    return new Set(rows.map(({ url, event_id: id }) => `${new URL(url).pathname} ${id}`));
  });
}

/**
 * Runs the restored Tieline until nothing is pending. @returns sentences about what is not as
 * promised
 * @param {{ product: import('../product.mjs').Product, scene: any, before: any[], after:
 * any[], taken: number }} restored `before` and `after`: what had been accepted before the moment
 * that was restored and only after it; `taken`: what receivers had until now
 */
export async function account({ product, scene, before, after, taken }) {
  const { receivers } = scene;
  const pending = await inFlight(product.postgres.url);
  const stored = await messagesOf(product.postgres.url);
  const faults = [
    ...before.filter(({ id }) => !stored.has(id)).map(({ id }) => `message ${id} is lost`),
    ...after.filter(({ id }) => stored.has(id)).map(({ id }) => `message ${id} came after the moment`),
  ];
  receivers.repair();
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  try {
    const { message_id: last } = await json(api.url, 'POST', '/api/v1/bot/messages', scene.token, {
      conversation_id: scene.channels[0],
      content: 'after the restore',
    });
    stored.add(last);
    await drained(product.postgres.url);
    faults.push(
      ...undelivered(stored, receivers.taken),
      ...unexplained(receivers.taken, taken, pending, last),
    );
    faults.push(...(await unpolled(api.url, scene, stored)));
  } finally {
    await worker.stop();
    await api.stop();
    receivers.damage();
  }
  const again = receivers.taken.length - taken;
  console.log(
    `  ${stored.size} messages, ${pending.size} deliveries were in flight, ${again} were sent since`,
  );
  if (pending.size === 0) faults.push('nothing was in flight: this says nothing about repeats');
  return faults;
}

function undelivered(stored, taken) {
  const known = new Set(taken.map(({ path, messageId }) => `${path} ${messageId}`));
  return [...stored].flatMap((id) =>
    PATHS.filter((path) => !known.has(`${path} ${id}`)).map((path) => `message ${id} never came to ${path}`),
  );
}

/** Deliveries that have arrived since and were neither in flight nor new. */
function unexplained(taken, from, pending, last) {
  return taken
    .slice(from)
    .filter(({ path, eventId, messageId }) => messageId !== last && !pending.has(`${path} ${eventId}`))
    .map(({ path, messageId }) => `message ${messageId} came to ${path} again and was not in flight`);
}

/** A bot that polls from the beginning: every message once, in order. */
async function unpolled(url, { pollToken }, stored) {
  const ids = [];
  for (let cursor = '0'; ;) {
    const page = await json(url, 'GET', `/api/v1/bot/events?cursor=${cursor}&limit=100`, pollToken);
    if (page.events.length === 0) break;
    ids.push(...page.events.map((event) => JSON.parse(event.payload_json).message_id));
    cursor = page.next_cursor;
  }
  const once = new Set(ids);
  const missing = [...stored]
    .filter((id) => !once.has(id))
    .map((id) => `message ${id} is not in the poll queue`);
  return ids.length === once.size
    ? missing
    : [...missing, `${ids.length - once.size} records are there twice`];
}

/** @param {string} databaseUrl @returns {Promise<Set<string>>} */
async function messagesOf(databaseUrl) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT id FROM messages');
    return new Set(rows.map(({ id }) => id));
  });
}

/** @param {string} databaseUrl */
async function drained(databaseUrl) {
  return withClient(databaseUrl, async (client) => {
    for (const end = Date.now() + DRAINED_WITHIN_MS; ; await sleep(100)) {
      const { rows } = await client.query(
        'SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM delivery_queue)::int AS waiting',
      );
      if (rows[0].waiting === 0) return;
      if (Date.now() > end) throw new Error(`${rows[0].waiting} are still pending`);
    }
  });
}
