import type { ReceivedRequest } from '@tieline/testing';
import { contractSignature, standardVerifies, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

let rig: Rig;
let channel: string;
let subscription: Subscribed;

beforeAll(async () => {
  rig = await startRig();
  channel = await rig.channel();
});
beforeEach(async () => {
  subscription = await rig.subscribe();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

const rotate = async (overlap_seconds: number): Promise<string> => {
  const path = `/outgoing_webhooks/${subscription.id}/rotate_secret`;
  return (await rig.call('POST', path, { overlap_seconds })).body.signing_secret;
};
const shownEnd = async (): Promise<unknown> =>
  (await rig.call('GET', `/outgoing_webhooks/${subscription.id}`)).body.subscription
    .previous_secret_expires_at;
const expire = () =>
  rig.api.db.query(
    "UPDATE outgoing_webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1",
    [subscription.id],
  );

/** Posts, and waits for the delivery. */
async function deliver(): Promise<ReceivedRequest> {
  const before = subscription.receiver.requests.length;
  await rig.post(channel, 'hello');
  await rig.sent(subscription.id);
  return subscription.receiver.requests[before]!;
}

const verifies = (secret: string, request: ReceivedRequest): boolean => {
  try {
    return standardVerifies(secret, request);
  } catch {
    return false;
  }
};

test('while a rotation overlaps both secrets sign', async () => {
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

test('once it is over the new one signs alone, and nothing is shown', async () => {
  const rotated = await rotate(60);
  await expire();
  const request = await deliver();
  expect(request.headers).not.toHaveProperty('x-service-signature-previous');
  expect([verifies(rotated, request), verifies(subscription.secret, request)]).toEqual([true, false]);
  expect(await shownEnd()).toBeUndefined();
});

test('test sends and redeliveries are signed by both as well', async () => {
  const [delivery] = [await deliver(), await rig.deliveries(subscription.id)].slice(1) as [
    { delivery_id: string }[],
  ];
  const rotated = await rotate(60);
  await rig.call('POST', `/outgoing_webhooks/${subscription.id}/test`);
  await rig.call('POST', `/deliveries/${delivery[0]!.delivery_id}/redeliver`);
  await rig.sent(subscription.id);
  for (const request of subscription.receiver.requests.slice(1))
    expect(request.headers).toMatchObject({
      'x-service-signature': contractSignature(rotated, request),
      'x-service-signature-previous': contractSignature(subscription.secret, request),
    });
  expect(subscription.receiver.requests).toHaveLength(3);
});

test('at most two live: the next rotation ends the first secret, and one without overlap the second', async () => {
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

test.each([-1, 604_801, 1.5, '60'])('overlap_seconds %j is 400', async (overlap_seconds) => {
  const path = `/outgoing_webhooks/${subscription.id}/rotate_secret`;
  expect(await rig.call('POST', path, { overlap_seconds })).toMatchObject({
    status: 400,
    body: { code: 'invalid_field', field: 'overlap_seconds' },
  });
});

test('a deleted subscription keeps neither', async () => {
  await rotate(60);
  await rig.call('DELETE', `/outgoing_webhooks/${subscription.id}`);
  expect(
    await rig.api.db.query(
      'SELECT 1 FROM outgoing_webhooks WHERE id = $1 AND (signing_secret IS NOT NULL OR previous_secret IS NOT NULL)',
      [subscription.id],
    ),
  ).toEqual([]);
});
