import { DeliveryKinds } from '@tieline/delivery';
import { notifyLongOpenBreakers } from '@tieline/delivery/testing';
import { eventually, readRows } from '@tieline/testing';
import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

const THRESHOLD = 3;
const ATTEMPTS = 3;
let harness: OutgoingHarness;
let channel: string;
beforeAll(async () => {
  harness = await startOutgoingHarness({
    DELIVERY_AUTO_DISABLE_THRESHOLD: String(THRESHOLD),
    DELIVERY_MAX_ATTEMPTS: String(ATTEMPTS),
  });
  channel = await harness.channel();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

/** Opens the breaker `minutes` ago. No probe is due during the test. */
async function openBreaker(targetId: string, minutes = 0): Promise<void> {
  await harness.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until, opened_at)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour', now() - $3 * interval '1 minute')`,
    [targetId, harness.space.spaceId, minutes],
  );
}

/** Makes the next probe due immediately and waits until its result is stored. */
async function probe({ id, receiver }: TestSubscription): Promise<void> {
  const before = receiver.requests.length;
  await harness.api.db.query(
    `UPDATE delivery_targets SET open_until = now() - interval '1 second' WHERE target_id = $1`,
    [id],
  );
  await receiver.waitFor(before + 1);
  await eventually(async () => {
    const logged = await harness.api.db.query(
      'SELECT 1 FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.target_id = $1',
      [id],
    );
    expect(logged).toHaveLength(before + 1);
  });
}

const statusOf = async (id: string): Promise<string> =>
  (await harness.call('GET', `/outgoing_webhooks/${id}`)).body.subscription.status;
const noticesOf = async (id: string): Promise<{ kind: string; text: string }[]> =>
  (await harness.call('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === id,
  );
const tell = (): Promise<number> =>
  notifyLongOpenBreakers(harness.api.db, harness.api.app.get(DeliveryKinds));

test('failed probes exhaust one delivery after the other until the dead deliveries disable the subscription', async () => {
  const subscribed = await harness.subscribe();
  const { id, receiver } = subscribed;
  receiver.respond(500);
  await openBreaker(id);
  // There is always a delivery without attempts.
  for (let n = 0; n < 2 * THRESHOLD * ATTEMPTS; n += 1) await harness.post(channel, `waits ${n}`);
  await harness.planned();
  for (let n = 0; n < THRESHOLD * ATTEMPTS - 1; n += 1) await probe(subscribed);
  expect(await statusOf(id)).toBe('active');
  await probe(subscribed);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
  expect(receiver.requests).toHaveLength(THRESHOLD * ATTEMPTS);
  const errors = await readRows<{ error: string; n: number }>(
    harness.api.db,
    'SELECT error, count(*)::int AS n FROM deliveries WHERE target_id = $1 GROUP BY error ORDER BY error',
    [id],
  );
  expect(errors[0]).toEqual({ error: 'receiver answered 500', n: THRESHOLD });
});

test('a breaker open for 15 minutes raises one notice, and another when it opens again', async () => {
  const { id, receiver } = await harness.subscribe({ name: 'Down' });
  await openBreaker(id, 14);
  await tell();
  expect(await noticesOf(id)).toEqual([]);
  await harness.api.db.query(
    `UPDATE delivery_targets SET opened_at = now() - interval '15 minutes' WHERE target_id = $1`,
    [id],
  );
  await Promise.all([tell(), tell(), tell()]);
  await tell();
  expect(await noticesOf(id)).toMatchObject([
    {
      kind: 'outgoing_webhook.unreachable',
      object_type: 'outgoing_webhook',
      text: expect.stringContaining('"Down"'),
    },
  ]);
  // A failed probe does not reopen the breaker.
  receiver.respond(500);
  await harness.post(channel, 'waits');
  await harness.planned();
  await probe({ id, receiver, secret: '' });
  await tell();
  expect(await noticesOf(id)).toHaveLength(1);
  receiver.respond(200);
  await probe({ id, receiver, secret: '' });
  await harness.sent(id);
  await harness.api.db.query(`UPDATE delivery_targets SET failures = 9 WHERE target_id = $1`, [id]);
  receiver.respond(500);
  await harness.post(channel, 'fails again');
  await eventually(async () => {
    const [row] = await readRows<{ fresh: boolean }>(
      harness.api.db,
      `SELECT opened_at > now() - interval '1 minute' AS fresh FROM delivery_targets WHERE target_id = $1 AND open_until IS NOT NULL`,
      [id],
    );
    expect(row).toEqual({ fresh: true });
  });
  await tell();
  expect(await noticesOf(id)).toHaveLength(1);
  await harness.api.db.query(
    `UPDATE delivery_targets SET opened_at = now() - interval '16 minutes' WHERE target_id = $1`,
    [id],
  );
  await tell();
  expect(await noticesOf(id)).toHaveLength(2);
});

test('a disabled subscription raises no such notice', async () => {
  const { id } = await harness.subscribe();
  await harness.call('PATCH', `/outgoing_webhooks/${id}`, { status: 'inactive' });
  await openBreaker(id, 20);
  await tell();
  expect(await noticesOf(id)).toEqual([]);
});
