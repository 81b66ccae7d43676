import { runInWorkerTx } from '@tieline/platform/database';
import { describeCounting, settledAs } from '@tieline/delivery/testing';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { ExhaustedSubscriptions } from './disable-failing.js';
import { PLAN_LOCK, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

const THRESHOLD = 3;
/** Pending deliveries closed per transaction. */
const KILLED_AT_ONCE = 5_000;
let harness: OutgoingHarness;
let channel: string;

beforeAll(async () => {
  harness = await startOutgoingHarness({ DELIVERY_AUTO_DISABLE_THRESHOLD: String(THRESHOLD) });
  channel = await harness.channel();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

/** Posts one message per status. Each delivery is settled before the next. */
async function deliver({ id, receiver }: TestSubscription, ...statuses: number[]): Promise<void> {
  for (const status of statuses) {
    receiver.respond(status);
    await harness.post(channel, `gets ${status}`);
    await harness.sent(id);
  }
}
const statusOf = async (id: string) =>
  (await harness.call('GET', `/outgoing_webhooks/${id}`)).body.subscription.status;
const noticesOf = async (id: string) =>
  (await harness.call('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === id,
  );

test('the threshold of consecutive dead deliveries disables a subscription, with a notice and an audit entry', async () => {
  const subscribed = await harness.subscribe({ name: 'Fragile' });
  const { id } = subscribed;
  await deliver(subscribed, 400, 404);
  expect([await statusOf(id), await noticesOf(id)]).toEqual(['active', []]);
  await deliver(subscribed, 410);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
  expect(await noticesOf(id)).toEqual([
    {
      id: expect.any(String),
      kind: 'outgoing_webhook.auto_disabled',
      object_type: 'outgoing_webhook',
      object_id: id,
      text: expect.stringMatching(/"Fragile".* Events since \d{4}-\d\d-\d\dT[\d:.]+Z are not stored/),
      created_at: expect.any(String),
    },
  ]);
  const entries = (await harness.call('GET', '/audit_log?limit=1')).body.entries;
  expect(entries).toMatchObject([
    {
      action: 'outgoing_webhook.auto_disabled',
      actor_id: null,
      actor_type: 'system',
      object_id: id,
      changes: { status: { from: 'active', to: 'inactive' } },
    },
  ]);
});

test('exhausted attempts count like any other dead delivery', async () => {
  const subscribed = await harness.subscribe();
  await deliver(subscribed, 500, 429, 400);
  await eventually(async () => expect(await statusOf(subscribed.id)).toBe('inactive'));
});

test('a 2xx resets the count, a test send does not affect it', async () => {
  const subscribed = await harness.subscribe();
  const { id, receiver } = subscribed;
  await deliver(subscribed, 400, 400, 200, 400, 400);
  for (const status of [400, 200]) {
    receiver.respond(status);
    await harness.call('POST', `/outgoing_webhooks/${id}/test`);
    await harness.sent(id);
  }
  expect(await statusOf(id)).toBe('active');
  await deliver(subscribed, 400);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
});

test('pending deliveries die, later events are not stored, and enabling resets the count', async () => {
  const subscribed = await harness.subscribe();
  const { id, receiver } = subscribed;
  receiver.respond({ status: 503, headers: { 'retry-after': '60' } });
  await harness.post(channel, 'waits');
  await eventually(async () =>
    expect(await harness.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 1 }]),
  );
  const [{ delivery_id: pending }] = await harness.deliveries(id);
  receiver.respond(400);
  for (let n = 0; n < THRESHOLD; n += 1) await harness.post(channel, 'x');
  await harness.sent(id);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
  expect((await harness.call('GET', `/deliveries/${pending}`)).body.delivery).toMatchObject({
    status: 'dead',
    error: 'subscription inactive',
  });
  receiver.requests.length = 0;
  // Planned after it is enabled again: an event is matched as of its commit.
  await runInWorkerTx(harness.api.db, async (tx) => {
    await mayIdle(tx);
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    await harness.post(channel, 'not kept');
    await harness.call('PATCH', `/outgoing_webhooks/${id}`, { status: 'active' });
  });
  await harness.sent(id);
  await deliver(subscribed, 400, 400);
  expect(await statusOf(id)).toBe('active');
  expect(receiver.requests).toHaveLength(2);
});

/** Whether it receives deliveries: enabled and not marked as exhausted. */
async function isOn(id: string): Promise<boolean> {
  const [row] = await readRows<{ on: boolean }>(
    harness.api.db,
    `SELECT status = 'active' AND exhausted_at IS NULL AS on FROM outgoing_webhooks WHERE id = $1`,
    [id],
  );
  return row?.on === true;
}

test('an exhausted subscription gets nothing, and the next run disables it after a crash', async () => {
  const subscribed = await harness.subscribe();
  const { id, receiver } = subscribed;
  // The state after a worker died right after the counting transaction.
  await harness.api.db.query(
    'UPDATE outgoing_webhooks SET exhausted_at = now(), consecutive_dead = 3 WHERE id = $1',
    [id],
  );
  await harness.post(channel, 'not sent');
  await harness.sent(id);
  expect(receiver.requests).toEqual([]);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'), { timeoutMs: 60_000 });
  await eventually(async () =>
    expect(
      await readRows(harness.api.db, 'SELECT exhausted_at FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ exhausted_at: null }]),
  );
  expect(await noticesOf(id)).toHaveLength(1);
});

test('all pending deliveries are closed even if they need several steps', async () => {
  const { id } = await harness.subscribe();
  const pending = KILLED_AT_ONCE + 500;
  await harness.api.db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, due_at)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, 0, now() + interval '1 hour' FROM generate_series(1, $3)`,
    [harness.space.spaceId, id, pending],
  );
  await harness.api.db.query('UPDATE outgoing_webhooks SET exhausted_at = now() WHERE id = $1', [id]);
  await eventually(
    async () =>
      expect(
        await readRows(harness.api.db, 'SELECT 1 FROM delivery_queue WHERE target_id = $1', [id]),
      ).toEqual([]),
    { timeoutMs: 60_000 },
  );
});

describe('counting', () => {
  describeCounting(() => ({
    make: async () => (await harness.subscribe()).id,
    spaceId: harness.space.spaceId,
    count: (results, threshold) =>
      runInWorkerTx(harness.api.db, (tx) => new ExhaustedSubscriptions(threshold).count(tx, results)),
    stored: async (id) =>
      (
        await readRows<{ n: number }>(
          harness.api.db,
          'SELECT consecutive_dead AS n FROM outgoing_webhooks WHERE id = $1',
          [id],
        )
      )[0]?.n,
    isOn,
    notices: noticesOf,
  }));

  test('a success of a healthy subscription writes nothing', async () => {
    const { id } = await harness.subscribe();
    const assigned = await runInWorkerTx(harness.api.db, async (tx) => {
      await new ExhaustedSubscriptions(THRESHOLD).count(tx, settledAs(harness.space.spaceId, id, '++'));
      return tx.query('SELECT pg_current_xact_id_if_assigned() AS id');
    });
    expect(assigned).toEqual([{ id: null }]);
  });
});
