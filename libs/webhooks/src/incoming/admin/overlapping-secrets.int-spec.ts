import { compat, native, REJECTED, startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;
let webhook: TestWebhook;
let sent = 0;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook({ require_signature: true });
});
afterAll(() => harness?.close());

const rotate = async (overlap_seconds: number): Promise<string> =>
  (await harness.call('POST', `/incoming_webhooks/${webhook.id}/rotate_secret`, { overlap_seconds })).body
    .signing_secret;
const shownEnd = async (): Promise<unknown> =>
  (await harness.call('GET', `/incoming_webhooks/${webhook.id}`)).body.webhook.previous_secret_expires_at;

/** Returns the status of a message signed with each of these secrets. */
async function statuses(...secrets: string[]): Promise<number[]> {
  const answers: number[] = [];
  for (const secret of secrets) {
    const body = JSON.stringify({ text: String((sent += 1)) });
    answers.push((await harness.post(webhook, body, native(secret, body))).status);
  }
  return answers;
}

test('both secrets are accepted during the overlap, in either scheme', async () => {
  const rotated = await rotate(60);
  expect(await statuses(rotated, webhook.secret)).toEqual([200, 200]);
  expect((await harness.post(webhook, '{"text":"c"}', compat(webhook.secret, '{"text":"c"}'))).status).toBe(
    200,
  );
  expect(Math.abs(Date.parse(String(await shownEnd())) - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('after the overlap the old secret is rejected and no expiry is shown', async () => {
  const rotated = await rotate(60);
  await harness.api.db.query(
    "UPDATE incoming_webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1",
    [webhook.id],
  );
  expect(await statuses(rotated, webhook.secret)).toEqual([200, 401]);
  expect(await harness.post(webhook, '{}', native(webhook.secret, '{}'))).toMatchObject({ body: REJECTED });
  expect(await shownEnd()).toBeUndefined();
});

test('at most two secrets are valid', async () => {
  const second = await rotate(60);
  const third = await rotate(60);
  expect(await statuses(third, second, webhook.secret)).toEqual([200, 200, 401]);
  const fourth = await rotate(0);
  expect(await statuses(fourth, third)).toEqual([200, 401]);
});

test('an overlap out of range answers 400', async () => {
  const path = `/incoming_webhooks/${webhook.id}/rotate_secret`;
  expect(await harness.call('POST', path, { overlap_seconds: 604_801 })).toMatchObject({
    status: 400,
    body: { field: 'overlap_seconds' },
  });
});
