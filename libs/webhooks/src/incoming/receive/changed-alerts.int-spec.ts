import { uuidv7 } from 'uuidv7';
import { native, REJECTED, startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook, PostResponse } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;
let webhook: TestWebhook;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook();
});
afterAll(() => harness?.close());

const JSON_TYPE = { 'content-type': 'application/json' };

function change(
  method: string,
  messageId: string,
  body: unknown = '',
  headers: Record<string, string> = JSON_TYPE,
  { token } = webhook,
): Promise<PostResponse> {
  return harness.send(`/api/v1/webhooks/incoming/${token}/messages/${messageId}`, body, headers, method);
}

async function posted(body: object = { text: 'before' }): Promise<string> {
  return (await harness.post(webhook, body)).body.message_id as string;
}

test('PATCH replaces the content of a message and notifies nobody again', async () => {
  const id = await posted({
    text: 'before',
    attachments: [{ title: 'a' }],
    mentions: [harness.space.owner.id],
  });
  const answer = await change('PATCH', id.toUpperCase(), {
    text: '*after*',
    severity: 'critical',
    mentions: [harness.space.owner.id],
  });
  expect(answer).toMatchObject({ status: 200, body: { ok: true, message_id: id } });
  expect(await harness.history(webhook)).toMatchObject([
    { id, text: '**after**', edited_at: expect.any(String), metadata_json: '{"severity":"critical"}' },
  ]);
  const told = (await harness.chat.events()).filter(({ payload }) => {
    const { data, notify } = payload as { data: { message_id?: string }; notify?: object };
    return data.message_id === id && notify !== undefined;
  });
  expect(told).toHaveLength(1);
  expect((await harness.requests(webhook))[0]).toMatchObject({ status: 200, message_id: id });
});

test('PATCH keeps the repeat count of an alert', async () => {
  const id = await posted({ text: 'a', dedup_key: 'k' });
  await posted({ text: 'a', dedup_key: 'k' });
  await change('PATCH', id, { text: 'b' });
  expect(await harness.history(webhook)).toMatchObject([{ text: 'b', metadata_json: '{"repeat_count":2}' }]);
});

test('DELETE deletes a message, after which both methods answer 410', async () => {
  const id = await posted();
  expect(await change('DELETE', id)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await harness.history(webhook)).toMatchObject([{ id, text: '', deleted_at: expect.any(String) }]);
  expect(await change('DELETE', id)).toMatchObject({ status: 410, body: REJECTED });
  expect(await change('PATCH', id, { text: 'x' })).toMatchObject({ status: 410, body: REJECTED });
});

test('answers 404 for a message of another author', async () => {
  const own = await posted();
  const neighbour = await harness.webhook({ conversation_id: webhook.conversationId });
  const person = await harness.chat.post(
    webhook.conversationId,
    { id: harness.space.owner.id, type: 'user' },
    'hi',
  );
  for (const method of ['PATCH', 'DELETE']) {
    for (const id of [person.messageId, uuidv7(), 'nonsense'])
      expect(await change(method, id, { text: 'x' })).toMatchObject({ status: 404, body: REJECTED });
    expect((await change(method, own, { text: 'x' }, JSON_TYPE, neighbour)).status).toBe(404);
  }
  expect((await harness.history(webhook)).map(({ text }) => text)).toEqual(['before', 'hi']);
});

test('the checks of a post apply: token, disabled, size, signature, content type, content', async () => {
  const id = await posted();
  expect((await change('PATCH', id, { text: 'x' }, JSON_TYPE, { ...webhook, token: 'unknown' })).status).toBe(
    401,
  );
  expect((await change('PATCH', id, `{"text":"${'x'.repeat(262_144)}"}`)).status).toBe(413);
  expect((await change('PATCH', id, '<x/>', { 'content-type': 'application/xml' })).status).toBe(400);
  expect((await change('PATCH', id, { foo: 1 })).status).toBe(400);
  expect((await change('PATCH', id, { dedup_key: 'k', resolved: true })).status).toBe(400);
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false });
  for (const method of ['PATCH', 'DELETE'])
    expect((await change(method, id, { text: 'x' })).status).toBe(410);
  expect(await harness.history(webhook)).toMatchObject([{ text: 'before' }]);
});

test('PATCH signs its body, DELETE the empty body', async () => {
  const id = await posted();
  await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { require_signature: true });
  expect((await change('PATCH', id, '{"text":"a"}')).status).toBe(401);
  expect((await change('PATCH', id, '{"text":"a"}', native(webhook.secret, '{"text":"b"}'))).status).toBe(
    401,
  );
  expect((await change('PATCH', id, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'))).status).toBe(
    200,
  );
  expect((await change('DELETE', id, 'x', native(webhook.secret, 'x'))).status).toBe(401);
  expect((await change('DELETE', id, '', native(webhook.secret, ''))).status).toBe(200);
});

test('answers 405 with Allow to other methods', async () => {
  for (const method of ['GET', 'PUT', 'POST']) {
    const answer = await change(method, uuidv7(), {});
    expect(answer).toMatchObject({ status: 405, body: REJECTED });
    expect(answer.headers.get('allow')).toContain('DELETE');
  }
});

test.each(['PATCH', 'DELETE'])(
  'many concurrent %s of one message hold at most two connections while they wait',
  async (method) => {
    const id = await posted();
    const { answers, waited } = await harness.api.whileRowLocked('messages', id, () =>
      Array.from({ length: 12 }, (_, n) => change(method, id, { text: `after ${n}` })),
    );
    expect(waited).toBe(2);
    expect(answers.filter(({ status }) => ![200, 410].includes(status))).toEqual([]);
  },
);
