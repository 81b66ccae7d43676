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

test('a test send does not wait behind an open breaker, its success closes it, and what waited goes out', async () => {
  const { id, receiver } = await rig.subscribe();
  await openBreaker(id);
  await rig.post(channel, 'waits');
  await rig.planned();
  await trySend(id);
  await receiver.waitFor(2);
  expect(receiver.requests[0]?.body.toString()).toContain('WEBHOOK_TEST');
  await eventually(async () => expect(await breakerOf(id)).toEqual({ failures: 0, open: false }));
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

test('a test send that fails leaves the breaker as it is', async () => {
  const { id, receiver } = await rig.subscribe();
  await openBreaker(id);
  receiver.respond(500);
  await trySend(id);
  await rig.sent(id);
  expect(receiver.requests).toHaveLength(1);
  expect(await breakerOf(id)).toEqual({ failures: 10, open: true });
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
