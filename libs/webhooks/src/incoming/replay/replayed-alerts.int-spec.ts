import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import { AcceptedSignatures } from './accepted-signatures.js';
import {
  compat,
  native,
  REJECTED,
  startIncomingHarness,
  unixSeconds,
} from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook, PostResponse } from '../../testing/incoming-harness.js';

const BODY = '{"text":"a"}';
let harness: IncomingHarness;
let webhook: TestWebhook;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook({ require_signature: true });
});
afterAll(() => harness?.close());

const statuses = async (...requests: Record<string, string>[]): Promise<number[]> => {
  const answers: number[] = [];
  for (const headers of requests) answers.push((await harness.post(webhook, BODY, headers)).status);
  return answers;
};

/** Sends a request to the address of a message of the webhook. */
const change = (
  method: string,
  messageId: string,
  body: string,
  headers: Record<string, string>,
): Promise<PostResponse> =>
  harness.send(`/api/v1/webhooks/incoming/${webhook.token}/messages/${messageId}`, body, headers, method);

const posted = async (text: string): Promise<string> => {
  const body = JSON.stringify({ text });
  return (await harness.post(webhook, body, native(webhook.secret, body))).body.message_id as string;
};
const texts = async (): Promise<string[]> =>
  (await harness.history(webhook)).map(({ text }) => text as string);

test('an exact repeat gets the stored result', async () => {
  const signed = native(webhook.secret, BODY);
  const first = await harness.post(webhook, BODY, signed);
  expect(first.status).toBe(200);
  expect(await harness.post(webhook, BODY, signed)).toMatchObject({ status: 200, body: first.body });
  expect((await harness.requests(webhook))[0]).toMatchObject({
    status: 200,
    message_id: first.body.message_id,
    notes: [expect.stringContaining('exact repeat')],
  });
  expect(await statuses(native(webhook.secret, BODY, unixSeconds(1)))).toEqual([200]);
  expect(await harness.history(webhook)).toHaveLength(2);
});

test('so does a repeat in the compat scheme, whatever the case of its digest', async () => {
  const signed = compat(webhook.secret, BODY);
  const shouted = {
    ...signed,
    'x-compat-signature': `v0=${signed['x-compat-signature']?.slice(3).toUpperCase()}`,
  };
  const answers = [await harness.post(webhook, BODY, signed), await harness.post(webhook, BODY, shouted)];
  expect(answers[1]).toMatchObject({ status: 200, body: answers[0]?.body });
  expect(await harness.history(webhook)).toHaveLength(1);
});

test('an accepted signature is rejected with another Idempotency-Key', async () => {
  const signed = native(webhook.secret, BODY);
  const keyed = (key: string): Record<string, string> => ({ ...signed, 'idempotency-key': key });
  const first = await harness.post(webhook, BODY, keyed('k1'));
  expect(await harness.post(webhook, BODY, keyed('k1'))).toMatchObject({ status: 200, body: first.body });
  for (const headers of [keyed('k2'), keyed(''), signed])
    expect(await harness.post(webhook, BODY, headers)).toMatchObject({ status: 401, body: REJECTED });
  expect((await harness.requests(webhook))[0]).toMatchObject({
    status: 401,
    reason: expect.stringContaining('replay'),
  });
  expect(await harness.history(webhook)).toHaveLength(1);
});

test('an empty Idempotency-Key equals an absent one', async () => {
  const signed = native(webhook.secret, BODY);
  expect(await statuses(signed, { ...signed, 'idempotency-key': '' })).toEqual([200, 200]);
  expect(await harness.history(webhook)).toHaveLength(1);
});

test('an accepted signature is rejected with another path, query or method', async () => {
  const id = await posted('the disk is full');
  const signed = native(webhook.secret, BODY);
  expect((await harness.post(webhook, BODY, signed)).status).toBe(200);
  const others = [
    harness.send(`/api/v1/webhooks/incoming/${webhook.token}?dedup_key=k`, BODY, signed),
    harness.send(`/hooks/${webhook.token}`, BODY, signed),
    change('PATCH', id, BODY, signed),
    change('PATCH', id, BODY, { ...signed, 'idempotency-key': 'k' }),
  ];
  for (const answer of await Promise.all(others))
    expect(answer).toMatchObject({ status: 401, body: REJECTED });
  expect(await texts()).toEqual(['the disk is full', 'a']);
});

test('a replayed edit neither changes another message nor restores an old text', async () => {
  const [one, two] = [await posted('one'), await posted('two')];
  const signed = native(webhook.secret, '{"text":"v1"}');
  expect((await change('PATCH', one, '{"text":"v1"}', signed)).status).toBe(200);
  const next = native(webhook.secret, '{"text":"v2"}');
  expect((await change('PATCH', one, '{"text":"v2"}', next)).status).toBe(200);
  expect(await change('PATCH', one, '{"text":"v1"}', signed)).toMatchObject({
    status: 200,
    body: { ok: true, message_id: one },
  });
  expect((await change('PATCH', two, '{"text":"v1"}', signed)).status).toBe(401);
  expect(await texts()).toEqual(['v2', 'two']);
});

test('two deletions within a second both succeed, and a repeat gets the stored result', async () => {
  const [one, two, three] = [await posted('one'), await posted('two'), await posted('three')];
  const signed = native(webhook.secret, '');
  for (const id of [one, two, one]) expect((await change('DELETE', id, '', signed)).status).toBe(200);
  expect((await change('DELETE', one, '', { ...signed, 'idempotency-key': 'k' })).status).toBe(401);
  expect((await harness.history(webhook)).filter(({ deleted_at }) => !deleted_at)).toMatchObject([
    { id: three },
  ]);
});

test('the signature of a deletion deletes no other message later', async () => {
  const [one, two] = [await posted('one'), await posted('two')];
  const signed = native(webhook.secret, '');
  expect((await change('DELETE', one, '', signed)).status).toBe(200);
  await harness.api.db.query(
    "UPDATE incoming_signatures SET claimed_at = claimed_at - interval '11 seconds' WHERE webhook_id = $1",
    [webhook.id],
  );
  expect((await change('DELETE', two, '', signed)).status).toBe(401);
  expect((await change('DELETE', one, '', signed)).status).toBe(200);
  expect((await harness.history(webhook)).at(-1)).toMatchObject({ text: 'two' });
});

test('of twenty concurrent requests one takes effect and all get its result', async () => {
  const signed = native(webhook.secret, BODY);
  const answers = await Promise.all(Array.from({ length: 20 }, () => harness.post(webhook, BODY, signed)));
  const [{ id }] = (await harness.history(webhook)) as [{ id: string }];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 200, body: { ok: true, message_id: id } });
  expect(await harness.history(webhook)).toHaveLength(1);
});

describe('after the process of a request died', () => {
  const LEASE_OVER = "claimed_at = claimed_at - interval '61 seconds'";
  const setClaim = (...sets: string[]): Promise<unknown> =>
    harness.api.db.query(
      `UPDATE incoming_signatures SET answered = false, ${sets.join(', ')} WHERE webhook_id = $1`,
      [webhook.id],
    );

  test.each([
    ['at once, if its message is stored', 'claimed_at = now()'],
    ['after the minute, too', LEASE_OVER],
  ])('a repeat gets its message: %s', async (_, set) => {
    const signed = native(webhook.secret, BODY);
    const first = await harness.post(webhook, BODY, signed);
    await setClaim(set);
    expect((await harness.post(webhook, BODY, { ...signed, 'idempotency-key': 'k' })).status).toBe(401);
    expect(await harness.post(webhook, BODY, signed)).toMatchObject({ status: 200, body: first.body });
    expect(await harness.history(webhook)).toHaveLength(1);
  });

  test('a repeat takes over if nothing was stored, under the id that was given before', async () => {
    const signed = native(webhook.secret, BODY);
    const first = await harness.post(webhook, BODY, signed);
    const id = uuidv7();
    await setClaim(LEASE_OVER, `message_id = '${id}'`);
    for (let n = 0; n < 2; n += 1)
      expect((await harness.post(webhook, BODY, signed)).body.message_id).toBe(id);
    expect((await harness.history(webhook)).map((message) => message.id)).toEqual([
      first.body.message_id,
      id,
    ]);
  });

  test('a repeat waits for a message that is not stored yet', async () => {
    const signed = native(webhook.secret, BODY);
    await harness.post(webhook, BODY, signed);
    const id = uuidv7();
    await setClaim('claimed_at = now()', `message_id = '${id}'`);
    const repeat = harness.post(webhook, BODY, signed);
    const author = { id: harness.space.owner.id, type: 'user' } as const;
    await harness.chat.post(webhook.conversationId, author, 'a', { messageId: id });
    expect((await repeat).body.message_id).toBe(id);
  });
});

test('a repeat after an unknown result posts under the same id', async () => {
  const signatures = new AcceptedSignatures(harness.api.db, (error) => {
    throw error;
  });
  const request = {
    ...{ spaceId: harness.space.spaceId, webhookId: webhook.id, subject: '' },
    ...{ signature: randomBytes(32), requestHash: randomBytes(32) },
  };
  const ids: string[] = [];
  const lost = signatures.once(request, (id) => {
    ids.push(id);
    throw new Error('the connection was lost');
  });
  await expect(lost).rejects.toThrow('lost');
  const other = { ...request, requestHash: randomBytes(32) };
  await expect(signatures.once(other, async (id) => id)).rejects.toThrow(RejectedRequest);
  const again = await signatures.once(request, async (id) => {
    ids.push(id);
    return id;
  });
  expect(again).toEqual({ messageId: ids[0], isRepeat: false });
});

test('a rejected request may be sent again', async () => {
  const signed = native(webhook.secret, BODY);
  const archived = (at: string): Promise<unknown> =>
    harness.api.db.query(`UPDATE conversations SET archived_at = ${at} WHERE id = $1`, [
      webhook.conversationId,
    ]);
  await archived('now()');
  expect(await statuses(signed)).toEqual([400]);
  await archived('NULL');
  expect(await statuses(signed, signed)).toEqual([200, 200]);
  expect(await harness.history(webhook)).toHaveLength(1);
});

test('a message id of any length is rejected as unknown', async () => {
  const long = await change('DELETE', 'x'.repeat(4000), '', native(webhook.secret, ''));
  expect(long).toMatchObject({ body: REJECTED });
  expect(long.status).toBeLessThan(500);
});

test('signatures are separate per webhook and message', async () => {
  const signed = native(webhook.secret, BODY);
  await harness.post(webhook, BODY, signed);
  expect((await harness.post(webhook, '{"text":"b"}', native(webhook.secret, '{"text":"b"}'))).status).toBe(
    200,
  );
});

test('replay protection defaults to require_signature', async () => {
  const settings = async (hook: TestWebhook): Promise<unknown> =>
    (await harness.call('GET', `/incoming_webhooks/${hook.id}`)).body.webhook.replay_protection;
  expect(await settings(webhook)).toBe(true);
  expect(await settings(await harness.webhook())).toBe(false);
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { replay_protection: false });
  expect(await settings(webhook)).toBe(false);
  const signed = native(webhook.secret, BODY);
  expect(await statuses(signed, signed)).toEqual([200, 200]);
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, {
    replay_protection: true,
    require_signature: false,
  });
  expect(await statuses(signed, signed)).toEqual([200, 200]);
});

test('new requests delete expired signatures', async () => {
  await harness.post(webhook, BODY, native(webhook.secret, BODY));
  await harness.api.db.query(
    "UPDATE incoming_signatures SET expires_at = now() - interval '1 second' WHERE webhook_id = $1",
    [webhook.id],
  );
  await harness.post(webhook, '{"text":"b"}', native(webhook.secret, '{"text":"b"}'));
  expect(
    await harness.api.db.query('SELECT 1 FROM incoming_signatures WHERE webhook_id = $1', [webhook.id]),
  ).toHaveLength(1);
});

test('metrics count requests by result, without labels for webhooks', async () => {
  const counts = async (): Promise<Record<string, number>> => {
    const scrape = await fetch(`${harness.api.url}/metrics`).then((response) => response.text());
    const series = scrape.matchAll(/^tieline_incoming_requests_total\{verdict="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...series].map(([, verdict, count]) => [verdict!, Number(count)]));
  };
  const before = await counts();
  const signed = native(webhook.secret, BODY);
  const wrong = native(`${webhook.secret}x`, BODY);
  const other = { ...signed, 'idempotency-key': 'k' };
  expect(await statuses(signed, other, wrong)).toEqual([200, 401, 401]);
  await harness.post({ token: 'nobodys' }, BODY, signed);
  const content = native(webhook.secret, '{"unknown":1}');
  await harness.post(webhook, '{"unknown":1}', content);
  await harness.post(webhook, 'x'.repeat(262_145), content);
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false });
  await harness.post(webhook, BODY, native(webhook.secret, BODY, unixSeconds(1)));
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
