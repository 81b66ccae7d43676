import { compat, native, REJECTED, startIncomingRig } from '../../testing/incoming-rig.js';
import type { IncomingRig, MadeWebhook } from '../../testing/incoming-rig.js';

let rig: IncomingRig;
let webhook: MadeWebhook;
let sent = 0;

beforeAll(async () => {
  rig = await startIncomingRig();
});
beforeEach(async () => {
  webhook = await rig.webhook({ require_signature: true });
});
afterAll(() => rig?.close());

const rotate = async (overlap_seconds: number): Promise<string> =>
  (await rig.call('POST', `/incoming_webhooks/${webhook.id}/rotate_secret`, { overlap_seconds })).body
    .signing_secret;
const shownEnd = async (): Promise<unknown> =>
  (await rig.call('GET', `/incoming_webhooks/${webhook.id}`)).body.webhook.previous_secret_expires_at;

/** What a message that is signed by each of these secrets is answered. */
async function statuses(...secrets: string[]): Promise<number[]> {
  const answers: number[] = [];
  for (const secret of secrets) {
    const body = JSON.stringify({ text: String((sent += 1)) });
    answers.push((await rig.post(webhook, body, native(secret, body))).status);
  }
  return answers;
}

test('while a rotation overlaps both secrets are accepted, in either scheme', async () => {
  const rotated = await rotate(60);
  expect(await statuses(rotated, webhook.secret)).toEqual([200, 200]);
  expect((await rig.post(webhook, '{"text":"c"}', compat(webhook.secret, '{"text":"c"}'))).status).toBe(200);
  expect(Math.abs(Date.parse(String(await shownEnd())) - Date.now() - 60_000)).toBeLessThan(30_000);
});

test('once it is over the old one is refused as any other, and nothing is shown', async () => {
  const rotated = await rotate(60);
  await rig.api.db.query(
    "UPDATE incoming_webhooks SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1",
    [webhook.id],
  );
  expect(await statuses(rotated, webhook.secret)).toEqual([200, 401]);
  expect(await rig.post(webhook, '{}', native(webhook.secret, '{}'))).toMatchObject({ body: REJECTED });
  expect(await shownEnd()).toBeUndefined();
});

test('at most two live', async () => {
  const second = await rotate(60);
  const third = await rotate(60);
  expect(await statuses(third, second, webhook.secret)).toEqual([200, 200, 401]);
  const fourth = await rotate(0);
  expect(await statuses(fourth, third)).toEqual([200, 401]);
});

test('an overlap out of range is 400', async () => {
  const path = `/incoming_webhooks/${webhook.id}/rotate_secret`;
  expect(await rig.call('POST', path, { overlap_seconds: 604_801 })).toMatchObject({
    status: 400,
    body: { field: 'overlap_seconds' },
  });
});
