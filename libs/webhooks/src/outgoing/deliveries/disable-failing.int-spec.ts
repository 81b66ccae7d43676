import { runInWorkerTx } from '@tieline/platform/database';
import { describeCounting, settledAs } from '@tieline/delivery/testing';
import { eventually, readRows } from '@tieline/testing';
import { ExhaustedSubscriptions } from './disable-failing.js';
import { PLAN_LOCK, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const THRESHOLD = 3;
/** Pending deliveries that end in one transaction. */
const KILLED_AT_ONCE = 5_000;
let rig: Rig;
let channel: string;

beforeAll(async () => {
  rig = await startRig({ DELIVERY_AUTO_DISABLE_THRESHOLD: String(THRESHOLD) });
  channel = await rig.channel();
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

/** Posts once per status, each delivery settled before the next. */
async function deliver({ id, receiver }: Subscribed, ...statuses: number[]): Promise<void> {
  for (const status of statuses) {
    receiver.respond(status);
    await rig.post(channel, `gets ${status}`);
    await rig.sent(id);
  }
}
const statusOf = async (id: string) =>
  (await rig.call('GET', `/outgoing_webhooks/${id}`)).body.subscription.status;
const noticesOf = async (id: string) =>
  (await rig.call('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === id,
  );

test('as many dead letters in a row as the threshold switch a subscription off, with a notice and an audit entry', async () => {
  const subscribed = await rig.subscribe({ name: 'Fragile' });
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
      text: expect.stringMatching(/"Fragile".* Events from \d{4}-\d\d-\d\dT[\d:.]+Z on are missing/),
      created_at: expect.any(String),
    },
  ]);
  const entries = (await rig.call('GET', '/audit_log?limit=1')).body.entries;
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

test('attempts that are used up count like any other dead letter', async () => {
  const subscribed = await rig.subscribe();
  await deliver(subscribed, 500, 429, 400);
  await eventually(async () => expect(await statusOf(subscribed.id)).toBe('inactive'));
});

test('a 2xx in between starts the count anew, a test send does not count either way', async () => {
  const subscribed = await rig.subscribe();
  const { id, receiver } = subscribed;
  await deliver(subscribed, 400, 400, 200, 400, 400);
  for (const status of [400, 200]) {
    receiver.respond(status);
    await rig.call('POST', `/outgoing_webhooks/${id}/test`);
    await rig.sent(id);
  }
  expect(await statusOf(id)).toBe('active');
  await deliver(subscribed, 400);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
});

test('what is pending dies, what follows is not kept, and made active again it starts from 0', async () => {
  const subscribed = await rig.subscribe();
  const { id, receiver } = subscribed;
  receiver.respond({ status: 503, headers: { 'retry-after': '60' } });
  await rig.post(channel, 'waits');
  await eventually(async () =>
    expect(await rig.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 1 }]),
  );
  const [{ delivery_id: pending }] = await rig.deliveries(id);
  receiver.respond(400);
  for (let n = 0; n < THRESHOLD; n += 1) await rig.post(channel, 'x');
  await rig.sent(id);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
  expect((await rig.call('GET', `/deliveries/${pending}`)).body.delivery).toMatchObject({
    status: 'dead',
    error: 'subscription inactive',
  });
  receiver.requests.length = 0;
  // Planned only when it is active again: an event is judged as of its own commit.
  await runInWorkerTx(rig.api.db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
    await rig.post(channel, 'not kept');
    await rig.call('PATCH', `/outgoing_webhooks/${id}`, { status: 'active' });
  });
  await rig.sent(id);
  await deliver(subscribed, 400, 400);
  expect(await statusOf(id)).toBe('active');
  expect(receiver.requests).toHaveLength(2);
});

/** Whether it gets deliveries: on, and not marked to be switched off. */
async function isOn(id: string): Promise<boolean> {
  const [row] = await readRows<{ on: boolean }>(
    rig.api.db,
    `SELECT status = 'active' AND exhausted_at IS NULL AS on FROM outgoing_webhooks WHERE id = $1`,
    [id],
  );
  return row?.on === true;
}

test('between the mark and the switch nothing is sent; what a crash left is finished by the next run', async () => {
  const subscribed = await rig.subscribe();
  const { id, receiver } = subscribed;
  // As a worker leaves it that dies right after the transaction that counted.
  await rig.api.db.query(
    'UPDATE outgoing_webhooks SET exhausted_at = now(), consecutive_dead = 3 WHERE id = $1',
    [id],
  );
  await rig.post(channel, 'not sent');
  await rig.sent(id);
  expect(receiver.requests).toEqual([]);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'), { timeoutMs: 15_000 });
  await eventually(async () =>
    expect(
      await readRows(rig.api.db, 'SELECT exhausted_at FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ exhausted_at: null }]),
  );
  expect(await noticesOf(id)).toHaveLength(1);
});

test('a target with more pending than one step ends them all', async () => {
  const { id } = await rig.subscribe();
  const pending = KILLED_AT_ONCE + 500;
  await rig.api.db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, due_at)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, 0, now() + interval '1 hour' FROM generate_series(1, $3)`,
    [rig.space.spaceId, id, pending],
  );
  await rig.api.db.query('UPDATE outgoing_webhooks SET exhausted_at = now() WHERE id = $1', [id]);
  await eventually(
    async () =>
      expect(await readRows(rig.api.db, 'SELECT 1 FROM delivery_queue WHERE target_id = $1', [id])).toEqual(
        [],
      ),
    { timeoutMs: 15_000 },
  );
});

describe('counting', () => {
  describeCounting(() => ({
    make: async () => (await rig.subscribe()).id,
    spaceId: rig.space.spaceId,
    count: (results, threshold) =>
      runInWorkerTx(rig.api.db, (tx) => new ExhaustedSubscriptions(threshold).count(tx, results)),
    stored: async (id) =>
      (
        await readRows<{ n: number }>(
          rig.api.db,
          'SELECT consecutive_dead AS n FROM outgoing_webhooks WHERE id = $1',
          [id],
        )
      )[0]?.n,
    isOn,
    notices: noticesOf,
  }));

  test('a success of a healthy subscription writes nothing', async () => {
    const { id } = await rig.subscribe();
    const assigned = await runInWorkerTx(rig.api.db, async (tx) => {
      await new ExhaustedSubscriptions(THRESHOLD).count(tx, settledAs(rig.space.spaceId, id, '++'));
      return tx.query('SELECT pg_current_xact_id_if_assigned() AS id');
    });
    expect(assigned).toEqual([{ id: null }]);
  });
});
