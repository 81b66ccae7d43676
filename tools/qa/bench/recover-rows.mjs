// (r) Recoveries: a long log is sent again.
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { json } from '../calls.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';
import { waitUntil } from './rows.mjs';

const COPIES = 5000;
export const RATES = 'RATE_DELIVERIES_PER_SECOND';

/**
 * From the request until the last of them was delivered and logged, at no rate but that of the
 * machine, against one BullMQ job + undici + one UPDATE per delivery.
 */
export async function recovery(product, { deliveries, floorDeliveries }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  product.env[RATES] = '100000,100000,100000';
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  const db = new pg.Pool({ connectionString: product.postgres.url, max: 2 });
  try {
    const workspace = await createWorkspace(api.url, 1);
    const id = await subscribe(api.url, workspace, receiverUrl, workspace.channels[0]);
    await fillLog(db, api.url, { ...workspace, id, deliveries });
    const floor = await startScript(
      'tools/qa/bench/floor-deliveries.mjs',
      [String(floorDeliveries), receiverUrl],
      { DATABASE_URL: product.postgres.url, REDIS_URL: product.env.REDIS_URL },
    );
    await floor.stop();
    const perSecond = await recover(db, api.url, { ...workspace, id, deliveries });
    return {
      row: `recovered deliveries/s, a log of ${deliveries}`,
      ours: `${Math.round(perSecond)}/s`,
      floor: `${Math.round(floor.info.perSecond)}/s`,
      ratio: perSecond / floor.info.perSecond,
      target: '',
    };
  } finally {
    delete product.env[RATES];
    await db.end();
    await worker.stop();
    await api.stop();
    await receiver.stop();
  }
}

async function recover(db, url, { owner, id, deliveries }) {
  const begun = performance.now();
  const recovery = await startRecovery(url, { owner, id });
  if (recovery.total !== deliveries) throw new Error(`${recovery.total} of ${deliveries} can be recovered`);
  await waitUntil(async () => {
    const shown = await json(url, 'GET', `/api/v1/admin/recoveries/${recovery.id}`, owner);
    const { rowCount } = await db.query('SELECT 1 FROM delivery_queue LIMIT 1');
    return shown.recovery.state === 'done' && rowCount === 0;
  });
  return deliveries / ((performance.now() - begun) / 1000);
}

/** Starts to send again what was sent within an hour. */
export async function startRecovery(url, { owner, id }) {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const path = `/api/v1/admin/outgoing_webhooks/${id}/recover`;
  return (await json(url, 'POST', path, owner, { since, only: 'all' })).recovery;
}

/** One delivery of a message, and copies of it. */
export async function fillLog(db, url, { token, channels, id, deliveries }) {
  const [channel] = channels;
  await json(url, 'POST', '/api/v1/bot/messages', token, {
    conversation_id: channel,
    content: 'to be recovered',
  });
  const settled = () =>
    db.query("SELECT id FROM deliveries WHERE target_id = $1 AND status = 'success'", [id]);
  let first;
  await waitUntil(async () => (first = (await settled()).rows[0]?.id) !== undefined);
  for (let made = 1; made < deliveries; made += COPIES) {
    const count = Math.min(COPIES, deliveries - made);
    const [ids, events] = [0, 1].map(() => Array.from({ length: count }, () => uuidv7()));
    await db.query(
      `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status, attempts, finished_at)
       SELECT u.id, space_id, kind, target_id, u.event, event_type, payload_id, headers, status, attempts, finished_at
         FROM deliveries d, unnest($2::uuid[], $3::uuid[]) AS u(id, event) WHERE d.id = $1`,
      [first, ids, events],
    );
  }
  await db.query('ANALYZE deliveries');
}
