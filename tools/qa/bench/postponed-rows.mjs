// The cost of one tenant's postponed deliveries for another: claims must not read waiting rows.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ages } from './ages.mjs';
import { promised } from './promises.mjs';
import { openLoop } from './load.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const POSTPONED = 300_000;
const PER_SECOND = 100;

/**
 * (w) from an event's commit to the receiver's request beside 300,000 postponed rows of another
 * tenant; the floor is without them.
 */
export async function postponed(product, { seconds }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const workspace = await createWorkspace(api.url, 50);
  for (const channel of workspace.channels) await subscribe(api.url, workspace, receiverUrl, channel);
  const request = messageRequest(workspace, 'beside those that wait');
  await openLoop({ origin: api.url, perSecond: PER_SECOND, seconds: 2, request });
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  const without = await timed();
  await postpone(product.postgres.url);
  const beside = await timed();
  await worker.stop();
  await api.stop();
  await receiver.stop();
  return {
    row: `commit to receiver at ${PER_SECOND}/s, ${POSTPONED} postponed rows of another tenant`,
    ours: `p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms`,
    floor: `without them p50 ${without.p50.toFixed(1)} ms, p99 ${without.p99.toFixed(1)} ms`,
    ratio: without.p50 / beside.p50,
    target: promised('postponed'),
  };
}

async function postpone(databaseUrl) {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts, postponed)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, n % 2, now() + interval '1 hour', 8, true FROM generate_series(1, $3) AS n`,
    [randomUUID(), randomUUID(), POSTPONED],
  );
  await db.query('VACUUM ANALYZE delivery_queue');
  await db.end();
}
