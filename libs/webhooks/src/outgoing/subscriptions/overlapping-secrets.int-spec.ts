import type { ReceivedRequest } from '@tieline/testing';
import { contractSignature, standardVerifies, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let channel: string;
let subscription: TestSubscription;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  channel = await harness.channel();
});
beforeEach(async () => {
  subscription = await harness.subscribe();
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

const rotate = async (overlap_seconds: number): Promise<string> => {
  const path = `/outgoing_webhooks/${subscription.id}/rotate_secret`;
  return (await harness.call('POST', path, { overlap_seconds })).body.signing_secret;
};
const shownEnd = async (): Promise<unknown> =>
  (await harness.call('GET', `/outgoing_webhooks/${subscription.id}`)).body.subscription
    .previous_secret_expires_at;
const expire = () =>
  harness.api.db.query(
    "UPDATE outgoing_webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1",
    [subscription.id],
  );

/** Posts a message and waits for the delivery. */
async function deliver(): Promise<ReceivedRequest> {
  const before = subscription.receiver.requests.length;
  await harness.post(channel, 'hello');
  await harness.sent(subscription.id);
  return subscription.receiver.requests[before]!;
}

const verifies = (secret: string, request: ReceivedRequest): boolean => {
  try {
    return standardVerifies(secret, request);
  } catch {
    return false;
  }
};

test('both secrets sign during the overlap', async () => {
  const rotated = await rotate(60);
  const request = await deliver();
  expect(request.headers).toMatchObject({
    'x-service-signature': contractSignature(rotated, request),
    'x-service-signature-previous': contractSignature(subscription.secret, request),
  });
  expect([verifies(rotated, request), verifies(subscription.secret, request)]).toEqual([true, true]);
  const end = String(await shownEnd());
  expect(Math.abs(Date.parse(end) - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('after the overlap only the new secret signs and no expiry is shown', async () => {
  const rotated = await rotate(60);
  await expire();
  const request = await deliver();
  expect(request.headers).not.toHaveProperty('x-service-signature-previous');
  expect([verifies(rotated, request), verifies(subscription.secret, request)]).toEqual([true, false]);
  expect(await shownEnd()).toBeUndefined();
});

test('test sends and redeliveries are signed with both secrets too', async () => {
  const [delivery] = [await deliver(), await harness.deliveries(subscription.id)].slice(1) as [
    { delivery_id: string }[],
  ];
  const rotated = await rotate(60);
  await harness.call('POST', `/outgoing_webhooks/${subscription.id}/test`);
  await harness.call('POST', `/deliveries/${delivery[0]!.delivery_id}/redeliver`);
  await harness.sent(subscription.id);
  for (const request of subscription.receiver.requests.slice(1))
    expect(request.headers).toMatchObject({
      'x-service-signature': contractSignature(rotated, request),
      'x-service-signature-previous': contractSignature(subscription.secret, request),
    });
  expect(subscription.receiver.requests).toHaveLength(3);
});

test('at most two secrets are valid: the next rotation ends the first, one without overlap the second', async () => {
  const second = await rotate(60);
  const third = await rotate(60);
  const both = await deliver();
  expect([third, second, subscription.secret].map((secret) => verifies(secret, both))).toEqual([
    true,
    true,
    false,
  ]);
  const fourth = await rotate(0);
  const alone = await deliver();
  expect([fourth, third].map((secret) => verifies(secret, alone))).toEqual([true, false]);
  expect(await shownEnd()).toBeUndefined();
});

test.each([-1, 604_801, 1.5, '60'])('overlap_seconds %j answers 400', async (overlap_seconds) => {
  const path = `/outgoing_webhooks/${subscription.id}/rotate_secret`;
  expect(await harness.call('POST', path, { overlap_seconds })).toMatchObject({
    status: 400,
    body: { code: 'invalid_field', field: 'overlap_seconds' },
  });
});

test('deleting a subscription deletes both secrets', async () => {
  await rotate(60);
  await harness.call('DELETE', `/outgoing_webhooks/${subscription.id}`);
  expect(
    await harness.api.db.query(
      'SELECT 1 FROM outgoing_webhooks WHERE id = $1 AND (signing_secret IS NOT NULL OR previous_secret IS NOT NULL)',
      [subscription.id],
    ),
  ).toEqual([]);
});
