import { readRows } from '@tieline/testing';
import { startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const WAIT = { status: 503, headers: { 'retry-after': '60' } };
let rig: Rig;
let channel: string;

beforeAll(async () => {
  rig = await startRig();
  channel = await rig.channel();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

/** How often what waits may be tried, oldest first. */
async function attemptsOf({ id }: Subscribed): Promise<number[]> {
  await rig.planned();
  const rows = await readRows<{ max_attempts: number }>(
    rig.api.db,
    'SELECT max_attempts FROM delivery_queue WHERE target_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ max_attempts: attempts }) => attempts);
}

test('what is planned under a profile is tried by it, whatever the profile is later', async () => {
  const subscription = await rig.subscribe();
  subscription.receiver.respond(WAIT);
  const use = (retry_profile: string) =>
    rig.call('PATCH', `/outgoing_webhooks/${subscription.id}`, { retry_profile });
  await rig.post(channel, 'contract');
  await use('extended');
  await rig.post(channel, 'extended');
  await use('contract');
  await rig.post(channel, 'contract again');
  // 0 stands for the worker's setting.
  expect(await attemptsOf(subscription)).toEqual([0, 12, 0]);
});

test('what is sent again is tried by the present profile; a test send once', async () => {
  const subscription = await rig.subscribe();
  await rig.post(channel, 'again');
  await rig.sent(subscription.id);
  await rig.call('PATCH', `/outgoing_webhooks/${subscription.id}`, { retry_profile: 'extended' });
  const [{ delivery_id: id }] = await rig.deliveries(subscription.id);
  subscription.receiver.respond(WAIT);
  await rig.call('POST', `/deliveries/${id}/redeliver`);
  expect(await attemptsOf(subscription)).toEqual([12]);
  await rig.call('POST', `/outgoing_webhooks/${subscription.id}/test`);
  expect((await rig.deliveries(subscription.id))[0]).toMatchObject({ status: 'dead', attempts: 1 });
});
