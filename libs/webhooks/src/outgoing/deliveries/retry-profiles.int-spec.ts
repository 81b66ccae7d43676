import { readRows } from '@tieline/testing';
import { startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

const WAIT = { status: 503, headers: { 'retry-after': '60' } };
let harness: OutgoingHarness;
let channel: string;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  channel = await harness.channel();
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

/** Returns the maximum attempts of the queued deliveries, oldest first. */
async function attemptsOf({ id }: TestSubscription): Promise<number[]> {
  await harness.planned();
  const rows = await readRows<{ max_attempts: number }>(
    harness.api.db,
    'SELECT max_attempts FROM delivery_queue WHERE target_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ max_attempts: attempts }) => attempts);
}

test('a delivery keeps the retry profile it was planned with', async () => {
  const subscription = await harness.subscribe();
  subscription.receiver.respond(WAIT);
  const use = (retry_profile: string) =>
    harness.call('PATCH', `/outgoing_webhooks/${subscription.id}`, { retry_profile });
  await harness.post(channel, 'contract');
  await use('extended');
  await harness.post(channel, 'extended');
  await use('contract');
  await harness.post(channel, 'contract again');
  // 0 means the worker's setting.
  expect(await attemptsOf(subscription)).toEqual([0, 12, 0]);
});

test('a redelivery uses the current profile, and a test send has one attempt', async () => {
  const subscription = await harness.subscribe();
  await harness.post(channel, 'again');
  await harness.sent(subscription.id);
  await harness.call('PATCH', `/outgoing_webhooks/${subscription.id}`, { retry_profile: 'extended' });
  const [{ delivery_id: id }] = await harness.deliveries(subscription.id);
  subscription.receiver.respond(WAIT);
  await harness.call('POST', `/deliveries/${id}/redeliver`);
  expect(await attemptsOf(subscription)).toEqual([12]);
  await harness.call('POST', `/outgoing_webhooks/${subscription.id}/test`);
  expect((await harness.deliveries(subscription.id))[0]).toMatchObject({ status: 'dead', attempts: 1 });
});
