import { DeliveryKinds } from '@tieline/delivery';
import { notifyLongOpenBreakers } from '@tieline/delivery/testing';
import { eventually, readRows } from '@tieline/testing';
import { startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const THRESHOLD = 3;
const ATTEMPTS = 3;
let rig: Rig;
let channel: string;
beforeAll(async () => {
  rig = await startRig({
    DELIVERY_AUTO_DISABLE_THRESHOLD: String(THRESHOLD),
    DELIVERY_MAX_ATTEMPTS: String(ATTEMPTS),
  });
  channel = await rig.channel();
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

/** The breaker has been open for this long, and no probe is due within the test. */
async function openBreaker(targetId: string, minutes = 0): Promise<void> {
  await rig.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until, opened_at)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour', now() - $3 * interval '1 minute')`,
    [targetId, rig.space.spaceId, minutes],
  );
}

/** Lets the next probe through at once, and waits until its result is written. */
async function probe({ id, receiver }: Subscribed): Promise<void> {
  const before = receiver.requests.length;
  await rig.api.db.query(
    `UPDATE delivery_targets SET open_until = now() - interval '1 second' WHERE target_id = $1`,
    [id],
  );
  await receiver.waitFor(before + 1);
  await eventually(async () => {
    const logged = await rig.api.db.query(
      'SELECT 1 FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.target_id = $1',
      [id],
    );
    expect(logged).toHaveLength(before + 1);
  });
}

const statusOf = async (id: string): Promise<string> =>
  (await rig.call('GET', `/outgoing_webhooks/${id}`)).body.subscription.status;
const noticesOf = async (id: string): Promise<{ kind: string; text: string }[]> =>
  (await rig.call('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === id,
  );
const tell = (): Promise<number> => notifyLongOpenBreakers(rig.api.db, rig.api.app.get(DeliveryKinds));

test('failed probes use up the attempts of one delivery after the other: their dead letters switch a dead receiver off', async () => {
  const subscribed = await rig.subscribe();
  const { id, receiver } = subscribed;
  receiver.respond(500);
  await openBreaker(id);
  // There is always something that was never tried.
  for (let n = 0; n < 2 * THRESHOLD * ATTEMPTS; n += 1) await rig.post(channel, `waits ${n}`);
  await rig.planned();
  for (let n = 0; n < THRESHOLD * ATTEMPTS - 1; n += 1) await probe(subscribed);
  expect(await statusOf(id)).toBe('active');
  await probe(subscribed);
  await eventually(async () => expect(await statusOf(id)).toBe('inactive'));
  expect(receiver.requests).toHaveLength(THRESHOLD * ATTEMPTS);
  const errors = await readRows<{ error: string; n: number }>(
    rig.api.db,
    'SELECT error, count(*)::int AS n FROM deliveries WHERE target_id = $1 GROUP BY error ORDER BY error',
    [id],
  );
  expect(errors[0]).toEqual({ error: 'receiver answered 500', n: THRESHOLD });
});

test('a breaker that has been open for 15 minutes makes one notice, and another when it opens again', async () => {
  const { id, receiver } = await rig.subscribe({ name: 'Down' });
  await openBreaker(id, 14);
  await tell();
  expect(await noticesOf(id)).toEqual([]);
  await rig.api.db.query(
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
  // A failed probe is still the same opening.
  receiver.respond(500);
  await rig.post(channel, 'waits');
  await rig.planned();
  await probe({ id, receiver, secret: '' });
  await tell();
  expect(await noticesOf(id)).toHaveLength(1);
  receiver.respond(200);
  await probe({ id, receiver, secret: '' });
  await rig.sent(id);
  await rig.api.db.query(`UPDATE delivery_targets SET failures = 9 WHERE target_id = $1`, [id]);
  receiver.respond(500);
  await rig.post(channel, 'fails again');
  await eventually(async () => {
    const [row] = await readRows<{ fresh: boolean }>(
      rig.api.db,
      `SELECT opened_at > now() - interval '1 minute' AS fresh FROM delivery_targets WHERE target_id = $1 AND open_until IS NOT NULL`,
      [id],
    );
    expect(row).toEqual({ fresh: true });
  });
  await tell();
  expect(await noticesOf(id)).toHaveLength(1);
  await rig.api.db.query(
    `UPDATE delivery_targets SET opened_at = now() - interval '16 minutes' WHERE target_id = $1`,
    [id],
  );
  await tell();
  expect(await noticesOf(id)).toHaveLength(2);
});

test('a subscription that is switched off makes no such notice', async () => {
  const { id } = await rig.subscribe();
  await rig.call('PATCH', `/outgoing_webhooks/${id}`, { status: 'inactive' });
  await openBreaker(id, 20);
  await tell();
  expect(await noticesOf(id)).toEqual([]);
});
