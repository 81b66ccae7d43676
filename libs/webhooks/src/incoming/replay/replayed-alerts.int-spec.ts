import { compat, native, REJECTED, startIncomingRig, unixSeconds } from '../../testing/incoming-rig.js';
import type { IncomingRig, MadeWebhook } from '../../testing/incoming-rig.js';

const BODY = '{"text":"a"}';
let rig: IncomingRig;
let webhook: MadeWebhook;

beforeAll(async () => {
  rig = await startIncomingRig();
});
beforeEach(async () => {
  webhook = await rig.webhook({ require_signature: true });
});
afterAll(() => rig?.close());

const statuses = async (...requests: Record<string, string>[]): Promise<number[]> => {
  const answers: number[] = [];
  for (const headers of requests) answers.push((await rig.post(webhook, BODY, headers)).status);
  return answers;
};

test('a signature that was accepted is refused as a replay', async () => {
  const signed = native(webhook.secret, BODY);
  expect((await rig.post(webhook, BODY, signed)).status).toBe(200);
  expect(await rig.post(webhook, BODY, signed)).toMatchObject({ status: 401, body: REJECTED });
  expect((await rig.requests(webhook))[0]).toMatchObject({
    status: 401,
    reason: expect.stringContaining('replay'),
  });
  expect(await statuses(native(webhook.secret, BODY, unixSeconds(1)))).toEqual([200]);
  expect(await rig.history(webhook)).toHaveLength(2);
});

test('the compat scheme too, however the digest is written', async () => {
  const signed = compat(webhook.secret, BODY);
  const shouted = {
    ...signed,
    'x-compat-signature': `v0=${signed['x-compat-signature']?.slice(3).toUpperCase()}`,
  };
  const [first, again] = await statuses(signed, shouted);
  expect([first, again]).toEqual([200, 401]);
});

test('with an Idempotency-Key a repeat answers the first message', async () => {
  const signed = { ...native(webhook.secret, BODY), 'idempotency-key': 'k1' };
  const [first, again] = [await rig.post(webhook, BODY, signed), await rig.post(webhook, BODY, signed)];
  expect(again).toMatchObject({ status: 200, body: first.body });
  const { 'idempotency-key': _key, ...without } = signed;
  expect(await statuses(without)).toEqual([401]);
  expect(await rig.history(webhook)).toHaveLength(1);
});

test('twenty at once: one is accepted', async () => {
  const signed = native(webhook.secret, BODY);
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.post(webhook, BODY, signed)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  expect(await rig.history(webhook)).toHaveLength(1);
});

test('what was refused may be sent again', async () => {
  const signed = native(webhook.secret, BODY);
  const archived = (at: string): Promise<unknown> =>
    rig.api.db.query(`UPDATE conversations SET archived_at = ${at} WHERE id = $1`, [webhook.conversationId]);
  await archived('now()');
  expect(await statuses(signed)).toEqual([400]);
  await archived('NULL');
  expect(await statuses(signed, signed)).toEqual([200, 401]);
});

test('another webhook has signatures of its own, and so has another message', async () => {
  const signed = native(webhook.secret, BODY);
  await rig.post(webhook, BODY, signed);
  expect((await rig.post(webhook, '{"text":"b"}', native(webhook.secret, '{"text":"b"}'))).status).toBe(200);
});

test('it is for webhooks that require a signature, unless an admin says otherwise', async () => {
  const settings = async (hook: MadeWebhook): Promise<unknown> =>
    (await rig.call('GET', `/incoming_webhooks/${hook.id}`)).body.webhook.replay_protection;
  expect(await settings(webhook)).toBe(true);
  expect(await settings(await rig.webhook())).toBe(false);
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { replay_protection: false });
  expect(await settings(webhook)).toBe(false);
  const signed = native(webhook.secret, BODY);
  expect(await statuses(signed, signed)).toEqual([200, 200]);
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, {
    replay_protection: true,
    require_signature: false,
  });
  expect(await statuses(signed, signed)).toEqual([200, 200]);
});

test('signatures whose time is over are forgotten with those that come', async () => {
  await rig.post(webhook, BODY, native(webhook.secret, BODY));
  await rig.api.db.query(
    "UPDATE incoming_signatures SET expires_at = now() - interval '1 second' WHERE webhook_id = $1",
    [webhook.id],
  );
  await rig.post(webhook, '{"text":"b"}', native(webhook.secret, '{"text":"b"}'));
  expect(
    await rig.api.db.query('SELECT 1 FROM incoming_signatures WHERE webhook_id = $1', [webhook.id]),
  ).toHaveLength(1);
});

test('each request counts in the metrics by what became of it, and for nobody in particular', async () => {
  const counts = async (): Promise<Record<string, number>> => {
    const scrape = await fetch(`${rig.api.url}/metrics`).then((response) => response.text());
    const series = scrape.matchAll(/^tieline_incoming_requests_total\{verdict="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...series].map(([, verdict, count]) => [verdict!, Number(count)]));
  };
  const before = await counts();
  const signed = native(webhook.secret, BODY);
  const wrong = native(`${webhook.secret}x`, BODY);
  expect(await statuses(signed, signed, wrong)).toEqual([200, 401, 401]);
  await rig.post({ token: 'nobodys' }, BODY, signed);
  const content = native(webhook.secret, '{"unknown":1}');
  await rig.post(webhook, '{"unknown":1}', content);
  await rig.post(webhook, 'x'.repeat(262_145), content);
  await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false });
  await rig.post(webhook, BODY, native(webhook.secret, BODY, unixSeconds(1)));
  const after = await counts();
  const more = Object.entries(after).map(([verdict, count]) => [verdict, count - (before[verdict] ?? 0)]);
  expect(Object.fromEntries(more)).toEqual({
    accepted: 1,
    replay: 1,
    signature: 1,
    unknown_token: 1,
    content: 1,
    too_large: 1,
    switched_off: 1,
  });
});
