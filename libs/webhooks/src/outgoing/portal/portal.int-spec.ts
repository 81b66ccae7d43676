import { withinOneWindow } from '@tieline/rate-limit/testing';
import { tampered } from '@tieline/testing';
import { contractSignature, parse, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let subscription: TestSubscription;
beforeAll(async () => {
  harness = await startOutgoingHarness({ PUBLIC_URL: 'https://chat.example' });
});
beforeEach(async () => {
  subscription = await harness.subscribe({ name: 'Deploy log' });
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

async function linkTo({ id }: Pick<TestSubscription, 'id'>): Promise<string> {
  const { status, body } = await harness.call('POST', `/outgoing_webhooks/${id}/portal_link`);
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      url: expect.stringMatching(/^https:\/\/chat\.example\/portal\/tlp_[\w-]+$/),
      expires_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 3_600_000)).toBeLessThan(30_000);
  return String(body.url).split('/').at(-1)!;
}
const portal = (token: string, method: string, path: string) =>
  harness.api.call(method, `/portal/${token}/${path}`);
const page = (token: string) => fetch(`${harness.api.url}/portal/${token}`);

/** Posts a message and waits for the delivery. @returns its id */
async function delivered(to: TestSubscription): Promise<string> {
  await harness.post(await harness.channel(), 'hello');
  await harness.sent(to.id);
  return (await harness.deliveries(to.id))[0].delivery_id;
}

test('the page is one file that runs only its own script', async () => {
  const response = await page(await linkTo(subscription));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(response.headers.get('content-security-policy'));
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^ ]+='; .*frame-ancestors 'none'/);
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const html = await response.text();
  expect(html).not.toMatch(/innerHTML|src=|href=/);
});

test('a link gives access to log, attempts, redelivery and test', async () => {
  const id = await delivered(subscription);
  const token = await linkTo(subscription);
  expect((await portal(token, 'GET', 'subscription')).body).toEqual({ ok: true, name: 'Deploy log' });
  const { deliveries } = (await portal(token, 'GET', 'deliveries?filter=success')).body;
  expect(deliveries).toEqual(await harness.deliveries(subscription.id));
  expect((await portal(token, 'GET', `deliveries/${id}`)).body).toEqual(
    (await harness.call('GET', `/deliveries/${id}`)).body,
  );
  const again = await portal(token, 'POST', `deliveries/${id}/redeliver`);
  expect(again).toMatchObject({ status: 200, body: { ok: true, delivery_id: expect.any(String) } });
  await harness.sent(subscription.id);
  const [first, second] = subscription.receiver.requests;
  expect(second!.body).toEqual(first!.body);
  const tested = await portal(token, 'POST', 'test');
  expect(tested).toMatchObject({ status: 200, body: { result: { status_code: 200, error: null } } });
  const third = subscription.receiver.requests[2]!;
  expect(parse(third)).toMatchObject({ event_type: 'WEBHOOK_TEST', actor_user_id: '' });
  expect(third.headers['x-service-signature']).toBe(contractSignature(subscription.secret, third));
});

test('a link gives no access to other subscriptions or admin endpoints', async () => {
  const other = await harness.subscribe();
  const foreign = await delivered(other);
  const token = await linkTo(subscription);
  for (const [method, path] of [
    ['GET', `deliveries/${foreign}`],
    ['POST', `deliveries/${foreign}/redeliver`],
  ] as const)
    expect((await portal(token, method, path)).status).toBe(404);
  expect((await harness.call('GET', '/outgoing_webhooks', undefined, token)).status).toBe(401);
});

test.each<[string, () => Promise<unknown>]>([
  [
    'the secret is rotated',
    () => harness.call('POST', `/outgoing_webhooks/${subscription.id}/rotate_secret`),
  ],
  [
    'the secret is rotated with an overlap',
    () =>
      harness.call('POST', `/outgoing_webhooks/${subscription.id}/rotate_secret`, { overlap_seconds: 3600 }),
  ],
  ['the subscription is deleted', () => harness.call('DELETE', `/outgoing_webhooks/${subscription.id}`)],
])('a link is invalid once %s', async (_name, end) => {
  const token = await linkTo(subscription);
  await end();
  for (const [method, path] of [
    ['GET', 'subscription'],
    ['GET', 'deliveries'],
    ['POST', 'test'],
  ] as const)
    expect(await portal(token, method, path)).toMatchObject({ status: 401, body: { ok: false } });
  const gone = await page(token);
  expect([gone.status, await gone.text()]).toEqual([401, expect.stringContaining('Ask for a new one')]);
  expect(subscription.receiver.requests).toEqual([]);
});

test('answers 401 without a token, with a forged one or with one of an inactive space', async () => {
  const stranger = await harness.otherSpace();
  const theirs = await stranger.subscribe();
  const { body } = await stranger.call('POST', `/outgoing_webhooks/${theirs.id}/portal_link`);
  const foreign = String(body.url).split('/').at(-1)!;
  await harness.api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [stranger.space.spaceId]);
  for (const token of [foreign, tampered(await linkTo(subscription)), harness.admin.token, 'tlp_x'])
    expect((await portal(token, 'GET', 'deliveries')).status).toBe(401);
  expect((await page('deliveries')).status).toBe(401);
});

test('a portal sends at most five times per second', async () => {
  await withinOneWindow(harness.api, async () => {
    const token = await linkTo(await harness.subscribe());
    const responses = await Promise.all(Array.from({ length: 40 }, () => portal(token, 'POST', 'test')));
    expect(responses.map(({ status }) => status)).toContain(429);
  });
});
