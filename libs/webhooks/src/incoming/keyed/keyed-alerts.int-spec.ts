import { readRows } from '@tieline/testing';
import { startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;
let webhook: TestWebhook;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook();
});
afterAll(() => harness?.close());

async function post(body: object, headers?: Record<string, string>): Promise<string> {
  const answer = await harness.post(
    webhook,
    body,
    headers && { 'content-type': 'application/json', ...headers },
  );
  expect(answer).toMatchObject({ status: 200, body: { ok: true, message_id: expect.any(String) } });
  return answer.body.message_id as string;
}

/** Returns the webhook's messages outside of threads. */
async function shown(): Promise<{ id: string; text: string; metadata: Record<string, unknown> }[]> {
  return (await harness.history(webhook)).map(({ id, text, metadata_json: json }) => ({
    id,
    text,
    metadata: JSON.parse(json ?? '{}') as Record<string, unknown>,
  }));
}

async function threadOf(root: string): Promise<{ id: string; text: string; thread_id: string }[]> {
  const path = `/api/v1/channels/${webhook.conversationId}/messages?limit=200&thread_id=${root}`;
  return (await harness.api.call('GET', path, { token: harness.space.owner.token })).body.messages;
}

/** Returns the severities of the notifications for a message, in order. */
async function noticesOf(messageId: string): Promise<string[]> {
  const events = (await harness.chat.events()).map(
    ({ payload }) => payload as { data: { message_id?: string }; notify?: { severity: string } },
  );
  return events.flatMap(({ data, notify }) =>
    data.message_id === messageId && notify ? [notify.severity] : [],
  );
}

describe('thread_key', () => {
  test('messages with one key go to the thread of the first', async () => {
    const root = await post({ text: 'down', thread_key: 'db1' });
    await post({ message: { content: 'still down', thread_key: 'db1' } });
    await post({ text: 'another', thread_key: 'db2' });
    await post({ text: 'up', thread_key: 'db1' });
    expect((await shown()).map(({ text }) => text)).toEqual(['down', 'another']);
    expect(await threadOf(root)).toMatchObject([
      { text: 'still down', thread_id: root },
      { text: 'up', thread_id: root },
    ]);
  });

  test('a new thread starts if the first message was deleted', async () => {
    const root = await post({ text: 'down', thread_key: 'db1' });
    await harness.api.call('DELETE', `/api/v1/client/messages/${root}`, { token: harness.space.owner.token });
    const next = await post({ text: 'down again', thread_key: 'db1' });
    await post({ text: 'more', thread_key: 'db1' });
    expect(await threadOf(next)).toMatchObject([{ text: 'more' }]);
    expect(await threadOf(root)).toEqual([]);
  });

  test('a new thread starts if the webhook has moved to another channel', async () => {
    const root = await post({ text: 'down', thread_key: 'db1' });
    const conversation_id = await harness.channel();
    await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { conversation_id });
    await post({ text: 'there', thread_key: 'db1' });
    expect(await threadOf(root)).toEqual([]);
    expect(await harness.history({ conversationId: conversation_id })).toMatchObject([{ text: 'there' }]);
  });

  test('keys of different webhooks are independent', async () => {
    await post({ text: 'mine', thread_key: 'k' });
    webhook = await harness.webhook({ conversation_id: webhook.conversationId });
    await post({ text: 'theirs', thread_key: 'k' });
    expect((await shown()).map(({ text }) => text)).toEqual(['mine', 'theirs']);
  });

  test('twenty concurrent requests create one thread', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_none, n) => post({ text: `${n}`, thread_key: 'storm' })),
    );
    const roots = await shown();
    expect(roots).toHaveLength(1);
    expect(await threadOf(roots[0]?.id ?? '')).toHaveLength(19);
    expect(new Set(ids).size).toBe(20);
  });

  test.each<[string, unknown]>([
    ['129 characters', 'x'.repeat(129)],
    ['a number', 7],
    ['an object', {}],
  ])('400: %s', async (_what, key) => {
    for (const name of ['thread_key', 'dedup_key'])
      expect((await harness.post(webhook, { text: 'a', [name]: key })).status).toBe(400);
  });

  test('a key may have 128 characters, and null and "" count as absent', async () => {
    await post({ text: 'a', thread_key: '😀'.repeat(128) });
    await post({ text: 'b', thread_key: null, dedup_key: '' });
    await post({ text: 'c', thread_key: null, dedup_key: '' });
    expect(await shown()).toHaveLength(3);
  });
});

describe('dedup_key', () => {
  test('edits the open message and counts its repeats', async () => {
    const id = await post({ text: '90 %', dedup_key: 'cpu', attachments: [{ title: 'a' }] });
    expect(await shown()).toMatchObject([{ id, text: '90 %', metadata: { repeat_count: 1 } }]);
    expect(await post({ text: '95 %', dedup_key: 'cpu' })).toBe(id);
    expect(await post({ text: '99 %', dedup_key: 'cpu' })).toBe(id);
    expect(await shown()).toEqual([{ id, text: '99 %', metadata: { repeat_count: 3 } }]);
    expect((await harness.history(webhook))[0]).toMatchObject({ edited_at: expect.any(String) });
  });

  test('notifies people again only when the severity rises', async () => {
    const say = (severity: string): Promise<string> => post({ text: '@channel', severity, dedup_key: 'cpu' });
    const id = await say('warning');
    await say('warning');
    await say('info');
    await say('info');
    await say('critical');
    await say('critical');
    expect(await noticesOf(id)).toEqual(['warning', 'critical']);
  });

  test('a flapping alert pushes once for each new highest severity', async () => {
    const say = (severity: string): Promise<string> => post({ text: '@channel', severity, dedup_key: 'cpu' });
    const id = await say('info');
    for (const severity of ['critical', 'info', 'warning', 'critical', 'info', 'critical'])
      await say(severity);
    expect(await noticesOf(id)).toEqual(['info', 'critical']);
  });

  test('pushes a repeat of a severity that was shown but never pushed', async () => {
    const id = await post({ text: 'CPU is high', severity: 'critical', dedup_key: 'cpu' });
    await post({ text: '@channel CPU is high', severity: 'warning', silent: true, dedup_key: 'cpu' });
    expect(await noticesOf(id)).toEqual(['critical']);
    await post({ text: '@channel CPU is high', severity: 'warning', dedup_key: 'cpu' });
    await post({ text: '@channel CPU is high', severity: 'warning', dedup_key: 'cpu' });
    expect(await noticesOf(id)).toEqual(['critical', 'warning']);
  });

  test('after a move to another channel, a repeat posts a new message and resolved closes the newest', async () => {
    const before = webhook.conversationId;
    const id = await post({ text: 'CPU is high', dedup_key: 'cpu' });
    await post({ text: 'RAM is full', dedup_key: 'ram' });
    const conversation_id = await harness.channel();
    await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { conversation_id });
    const next = await post({ text: 'CPU is high', dedup_key: 'cpu' });
    expect(next).not.toBe(id);
    expect(await post({ text: 'CPU is higher', dedup_key: 'cpu' })).toBe(next);
    await post({ dedup_key: 'cpu', resolved: true });
    await post({ dedup_key: 'ram', resolved: true });
    expect((await harness.history({ conversationId: conversation_id })).map(({ text }) => text)).toEqual([
      '[RESOLVED] CPU is higher',
    ]);
    expect((await harness.history({ conversationId: before })).map(({ text }) => text)).toEqual([
      'CPU is high',
      '[RESOLVED] RAM is full',
    ]);
  });

  test('resolved marks the message as resolved and closes the key', async () => {
    const id = await post({ text: 'CPU is high', severity: 'critical', dedup_key: 'cpu' });
    expect(await post({ text: 'CPU is fine', dedup_key: 'cpu', resolved: true })).toBe(id);
    expect(await shown()).toEqual([
      { id, text: '[RESOLVED] CPU is fine', metadata: { severity: 'info', repeat_count: 1, resolved: true } },
    ]);
    expect(await noticesOf(id)).toEqual(['critical']);
    expect(await post({ text: 'CPU is high', dedup_key: 'cpu' })).not.toBe(id);
  });

  test('resolved without text keeps the existing text', async () => {
    const id = await post({ text: 'CPU is high', dedup_key: 'cpu', attachments: [{ title: 'graph' }] });
    expect(await post({ dedup_key: 'cpu', resolved: true })).toBe(id);
    expect(await shown()).toMatchObject([
      { text: '[RESOLVED] CPU is high', metadata: { attachments: [{ title: 'graph' }], resolved: true } },
    ]);
  });

  test('resolved without text and without an open message posts nothing and is no failure', async () => {
    const failures = (): Promise<unknown[]> =>
      readRows(harness.api.db, 'SELECT consecutive_failures AS n FROM incoming_webhooks WHERE id = $1', [
        webhook.id,
      ]);
    await harness.post(webhook, { unknown: 1 });
    for (const body of [
      { dedup_key: 'cpu', resolved: true },
      { message: { dedup_key: 'cpu', resolved: true, content: '' } },
    ])
      expect(await harness.post(webhook, body)).toMatchObject({
        status: 200,
        body: { ok: true, message_id: '' },
      });
    expect(await harness.send(`/hooks/${webhook.token}`, { dedup_key: 'cpu', resolved: true })).toMatchObject(
      {
        status: 200,
        text: 'ok',
      },
    );
    expect(await shown()).toEqual([]);
    expect(await failures()).toEqual([{ n: 1 }]);
    const [logged] = await harness.requests(webhook);
    expect(logged).toMatchObject({ status: 200, notes: [expect.stringContaining('nothing was posted')] });
    expect(logged).not.toHaveProperty('message_id');
  });

  test('resolved without text answers 200 even if the open message was deleted', async () => {
    const id = await post({ text: 'CPU is high', dedup_key: 'cpu' });
    await harness.api.call('DELETE', `/api/v1/client/messages/${id}`, { token: harness.space.owner.token });
    expect(await harness.post(webhook, { dedup_key: 'cpu', resolved: true })).toMatchObject({
      status: 200,
      body: { ok: true, message_id: '' },
    });
  });

  test('resolved without an open message posts an ordinary info message', async () => {
    const id = await post({ text: 'CPU is fine', severity: 'critical', dedup_key: 'cpu', resolved: true });
    expect(await shown()).toEqual([{ id, text: 'CPU is fine', metadata: { severity: 'info' } }]);
    expect(await noticesOf(id)).toEqual(['info']);
    expect(await post({ text: 'CPU is fine', dedup_key: 'cpu', resolved: true })).not.toBe(id);
  });

  test('a deleted message is no longer open', async () => {
    const id = await post({ text: 'a', dedup_key: 'cpu' });
    await harness.api.call('DELETE', `/api/v1/client/messages/${id}`, { token: harness.space.owner.token });
    const next = await post({ text: 'b', dedup_key: 'cpu' });
    await post({ text: 'c', dedup_key: 'cpu' });
    expect((await shown()).at(-1)).toEqual({ id: next, text: 'c', metadata: { repeat_count: 2 } });
  });

  test('twenty concurrent requests create one message with twenty repeats', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_none, n) =>
        post({ text: `${n}`, dedup_key: 'storm', thread_key: 'storm' }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await shown()).toMatchObject([{ id: ids[0], metadata: { repeat_count: 20 } }]);
  });

  test('a repeated request with an Idempotency-Key counts once', async () => {
    const body = { text: 'a', dedup_key: 'cpu' };
    await post(body, { 'idempotency-key': 'once' });
    await post(body, { 'idempotency-key': 'once' });
    expect(await shown()).toMatchObject([{ metadata: { repeat_count: 1 } }]);
  });

  test('an archived channel answers 400 and stores no key', async () => {
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [
      webhook.conversationId,
    ]);
    expect((await harness.post(webhook, { text: 'a', dedup_key: 'cpu', thread_key: 'cpu' })).status).toBe(
      400,
    );
    await harness.api.db.query('UPDATE conversations SET archived_at = NULL WHERE id = $1', [
      webhook.conversationId,
    ]);
    await post({ text: 'b', dedup_key: 'cpu', thread_key: 'cpu' });
    expect(await shown()).toMatchObject([{ text: 'b', metadata: { repeat_count: 1 } }]);
  });
});

test('deleting a webhook deletes its keys and no others', async () => {
  const other = await harness.webhook();
  for (const hook of [webhook, other])
    await harness.post(hook, { text: 'a', thread_key: 'k', dedup_key: 'k' });
  await harness.call('DELETE', `/incoming_webhooks/${webhook.id}`);
  for (const table of ['incoming_threads', 'incoming_open_alerts'])
    expect(
      await harness.api.db.query(`SELECT webhook_id FROM ${table} WHERE webhook_id = ANY ($1)`, [
        [webhook.id, other.id],
      ]),
    ).toEqual([{ webhook_id: other.id }]);
});
