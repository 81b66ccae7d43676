import { eventually } from '@tieline/testing';
import { startRig } from '../testing/outgoing-rig.js';
import type { Rig } from '../testing/outgoing-rig.js';

let rig: Rig;
let channel: string;
beforeAll(async () => {
  rig = await startRig({}, 'free');
  channel = await rig.channel();
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

/** The breaker is open, and no probe is due within the test. */
async function openBreaker(targetId: string): Promise<void> {
  await rig.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour')`,
    [targetId, rig.space.spaceId],
  );
}
const breakerOf = async (targetId: string): Promise<unknown> => {
  const found = await rig.api.db.query(
    'SELECT failures, open_until IS NOT NULL AS open FROM delivery_targets WHERE target_id = $1',
    [targetId],
  );
  return found[0];
};
const trySend = (id: string): Promise<unknown> => rig.call('POST', `/outgoing_webhooks/${id}/test`);
const patch = (id: string, status: string): Promise<unknown> =>
  rig.call('PATCH', `/outgoing_webhooks/${id}`, { status });

test.each([200, 404, 302, 500])(
  'a test send answered %i passes an open breaker and leaves it as it is',
  async (status) => {
    const { id, receiver } = await rig.subscribe();
    await openBreaker(id);
    await rig.post(channel, 'waits');
    await rig.planned();
    receiver.respond(status);
    expect(await trySend(id)).toMatchObject({ body: { result: { status_code: status } } });
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual([
      expect.stringContaining('WEBHOOK_TEST'),
    ]);
    expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  },
);

test('a test send that succeeds does not restart the count of failures', async () => {
  const { id } = await rig.subscribe();
  await openBreaker(id);
  await rig.api.db.query('UPDATE delivery_targets SET failures = 7, open_until = NULL WHERE target_id = $1', [
    id,
  ]);
  await trySend(id);
  await rig.sent(id);
  expect(await breakerOf(id)).toEqual({ failures: 7, open: false });
});

test('PATCH status active on an active subscription closes its breaker and releases what waits', async () => {
  const { id, receiver } = await rig.subscribe();
  await openBreaker(id);
  await rig.post(channel, 'waits');
  await rig.planned();
  expect(receiver.requests).toEqual([]);
  await rig.call('PATCH', `/outgoing_webhooks/${id}`, { name: 'Another name' });
  expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  await patch(id, 'active');
  await receiver.waitFor(1);
  expect(await breakerOf(id)).toEqual({ failures: 0, open: false });
});

test("what waited behind a breaker goes out at the plan's rate once it closes, not half a minute later", async () => {
  const { id, receiver } = await rig.subscribe();
  await openBreaker(id);
  for (let n = 0; n < 12; n += 1) await rig.post(channel, `alert ${n}`);
  await rig.planned();
  expect(receiver.requests).toEqual([]);
  await rig.api.db.query('UPDATE delivery_targets SET open_until = now() WHERE target_id = $1', [id]);
  const [probe, ...others] = await receiver.waitFor(12, 15_000);
  const last = others.at(-1);
  expect((last?.at ?? 0) - (probe?.at ?? 0)).toBeLessThan(8000);
  // Five a second: the plan's rate holds here too.
  expect((last?.at ?? 0) - (probe?.at ?? 0)).toBeGreaterThan(1500);
});

test('activating a subscription that was switched off closes its breaker', async () => {
  const { id, receiver } = await rig.subscribe();
  await openBreaker(id);
  await patch(id, 'inactive');
  expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  await patch(id, 'active');
  expect(await breakerOf(id)).toEqual({ failures: 0, open: false });
  await rig.post(channel, 'arrives');
  await receiver.waitFor(1);
});

test("test sends are not delayed by the plan's rate", async () => {
  const { id, receiver } = await rig.subscribe();
  for (let n = 0; n < 8; n += 1) await rig.post(channel, `over the rate ${n}`);
  await receiver.waitFor(5);
  for (let n = 0; n < 8; n += 1) await trySend(id);
  const tests = (): unknown[] =>
    receiver.requests.filter(({ body }) => body.toString().includes('WEBHOOK_TEST'));
  await eventually(async () => expect(tests()).toHaveLength(8));
});

test('admins see the state of a breaker in the subscription and in the list', async () => {
  const { id } = await rig.subscribe();
  const seen = async (): Promise<unknown> => {
    const { subscription } = (await rig.call('GET', `/outgoing_webhooks/${id}`)).body;
    const { subscriptions } = (await rig.call('GET', '/outgoing_webhooks')).body;
    expect(subscriptions).toEqual([subscription]);
    return subscription.breaker;
  };
  expect(await seen()).toEqual({ state: 'closed', consecutive_failures: 0 });
  await openBreaker(id);
  const [{ open_until }] = (await rig.api.db.query(
    'SELECT open_until FROM delivery_targets WHERE target_id = $1',
    [id],
  )) as [{ open_until: Date }];
  expect(await seen()).toEqual({
    state: 'open',
    open_until: open_until.toISOString(),
    consecutive_failures: 10,
  });
  await rig.api.db.query('UPDATE delivery_targets SET open_until = now() WHERE target_id = $1', [id]);
  expect(await seen()).toEqual({ state: 'half_open', consecutive_failures: 10 });
  await patch(id, 'inactive');
  await patch(id, 'active');
  expect(await seen()).toEqual({ state: 'closed', consecutive_failures: 0 });
});
