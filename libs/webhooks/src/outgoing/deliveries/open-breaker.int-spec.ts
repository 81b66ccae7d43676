import { eventually } from '@tieline/testing';
import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let channel: string;
beforeAll(async () => {
  harness = await startOutgoingHarness({ RATE_DELIVERIES_PER_SECOND: '1,1,1' });
  channel = await harness.channel();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

/** Opens the breaker. No probe is due during the test. */
async function openBreaker(targetId: string): Promise<void> {
  await harness.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour')`,
    [targetId, harness.space.spaceId],
  );
}
const breakerOf = async (targetId: string): Promise<unknown> => {
  const found = await harness.api.db.query(
    'SELECT failures, open_until IS NOT NULL AS open FROM delivery_targets WHERE target_id = $1',
    [targetId],
  );
  return found[0];
};
const trySend = (id: string): Promise<unknown> => harness.call('POST', `/outgoing_webhooks/${id}/test`);
const patch = (id: string, status: string): Promise<unknown> =>
  harness.call('PATCH', `/outgoing_webhooks/${id}`, { status });

test.each([200, 404, 302, 500])(
  'a test send answered with %i bypasses an open breaker and does not change it',
  async (status) => {
    const { id, receiver } = await harness.subscribe();
    await openBreaker(id);
    await harness.post(channel, 'waits');
    await harness.planned();
    receiver.respond(status);
    expect(await trySend(id)).toMatchObject({ body: { result: { status_code: status } } });
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual([
      expect.stringContaining('WEBHOOK_TEST'),
    ]);
    expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  },
);

test('a successful test send does not reset the failure count', async () => {
  const { id } = await harness.subscribe();
  await openBreaker(id);
  await harness.api.db.query(
    'UPDATE delivery_targets SET failures = 7, open_until = NULL WHERE target_id = $1',
    [id],
  );
  await trySend(id);
  await harness.sent(id);
  expect(await breakerOf(id)).toEqual({ failures: 7, open: false });
});

test('PATCH status active on an active subscription closes its breaker and releases its deliveries', async () => {
  const { id, receiver } = await harness.subscribe();
  await openBreaker(id);
  await harness.post(channel, 'waits');
  await harness.planned();
  expect(receiver.requests).toEqual([]);
  await harness.call('PATCH', `/outgoing_webhooks/${id}`, { name: 'Another name' });
  expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  await patch(id, 'active');
  await receiver.waitFor(1);
  expect(await breakerOf(id)).toEqual({ failures: 0, open: false });
});

test("deliveries held by a breaker are sent at the plan's rate as soon as it closes", async () => {
  const { id, receiver } = await harness.subscribe();
  await openBreaker(id);
  for (let n = 0; n < 6; n += 1) await harness.post(channel, `alert ${n}`);
  await harness.planned();
  expect(receiver.requests).toEqual([]);
  await harness.api.db.query('UPDATE delivery_targets SET open_until = now() WHERE target_id = $1', [id]);
  const [probe, ...others] = await receiver.waitFor(6, 60_000);
  const last = others.at(-1);
  // One per second, so five seconds, of which a busy machine may not see all.
  expect((last?.at ?? 0) - (probe?.at ?? 0)).toBeGreaterThan(1500);
});

test('enabling a disabled subscription closes its breaker', async () => {
  const { id, receiver } = await harness.subscribe();
  await openBreaker(id);
  await patch(id, 'inactive');
  expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
  await patch(id, 'active');
  expect(await breakerOf(id)).toEqual({ failures: 0, open: false });
  await harness.post(channel, 'arrives');
  await receiver.waitFor(1);
});

test("test sends are not delayed by the plan's rate", async () => {
  const { id, receiver } = await harness.subscribe();
  for (let n = 0; n < 8; n += 1) await harness.post(channel, `over the rate ${n}`);
  await receiver.waitFor(1);
  for (let n = 0; n < 8; n += 1) await trySend(id);
  const tests = (): unknown[] =>
    receiver.requests.filter(({ body }) => body.toString().includes('WEBHOOK_TEST'));
  await eventually(async () => expect(tests()).toHaveLength(8));
});

test('admins see the breaker state in the subscription and in the list', async () => {
  const { id } = await harness.subscribe();
  const seen = async (): Promise<unknown> => {
    const { subscription } = (await harness.call('GET', `/outgoing_webhooks/${id}`)).body;
    const { subscriptions } = (await harness.call('GET', '/outgoing_webhooks')).body;
    expect(subscriptions).toEqual([subscription]);
    return subscription.breaker;
  };
  expect(await seen()).toEqual({ state: 'closed', consecutive_failures: 0 });
  await openBreaker(id);
  const [{ open_until }] = (await harness.api.db.query(
    'SELECT open_until FROM delivery_targets WHERE target_id = $1',
    [id],
  )) as [{ open_until: Date }];
  expect(await seen()).toEqual({
    state: 'open',
    open_until: open_until.toISOString(),
    consecutive_failures: 10,
  });
  await harness.api.db.query('UPDATE delivery_targets SET open_until = now() WHERE target_id = $1', [id]);
  expect(await seen()).toEqual({ state: 'half_open', consecutive_failures: 10 });
  await patch(id, 'inactive');
  await patch(id, 'active');
  expect(await seen()).toEqual({ state: 'closed', consecutive_failures: 0 });
});
