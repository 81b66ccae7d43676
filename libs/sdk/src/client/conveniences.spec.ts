import { startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { readFile } from 'node:fs/promises';
import { createClient, sendMessage } from '../api/index.js';
import { Client } from './client.js';
import { KEYED } from './http/idempotency.js';

let server: Receiver;
let client: Client;
let warned: string[];

beforeEach(async () => {
  server = await startReceiver({ body: { ok: true } });
  warned = [];
  client = new Client({ url: server.url, token: 'tlb_t', onWarning: (warning) => warned.push(warning) });
});
afterEach(() => server.close());

const last = () => {
  const { method, url, body, headers } = server.requests.at(-1)!;
  return { method, url, headers, body: body.length > 0 ? JSON.parse(body.toString()) : undefined };
};

test('metadata objects are sent as text', async () => {
  const blocks = [{ type: 'divider' }];
  await client.messages.send({ conversation_id: 'c', content: 'Hi', blocks });
  expect(last().body).toEqual({
    conversation_id: 'c',
    content: 'Hi',
    metadata_json: '{"version":1,"blocks":[{"type":"divider"}]}',
  });
  await client.messages.edit('m', { content: 'Hi', metadata: { attachments: [] }, blocks });
  expect(JSON.parse(last().body.metadata_json)).toEqual({ version: 1, attachments: [], blocks });
  await client.messages.edit('m', { content: 'Hi', metadata_json: '' });
  expect(last().body).toEqual({ content: 'Hi', metadata_json: '' });
});

test.each([
  ['react', () => client.messages.react('m/1', '🎉'), 'PUT', '/messages/m%2F1/reactions/%F0%9F%8E%89'],
  ['unreact', () => client.messages.unreact('m', '🎉'), 'DELETE', '/messages/m/reactions/%F0%9F%8E%89'],
  ['pin', () => client.messages.pin('m'), 'PUT', '/messages/m/pin'],
  ['unpin', () => client.messages.unpin('m'), 'DELETE', '/messages/m/pin'],
  ['delete', () => client.messages.delete('m'), 'DELETE', '/messages/m'],
  ['join', () => client.join('c'), 'POST', '/conversations/c/join'],
] as [string, () => Promise<unknown>, string, string][])('%s', async (_, call, method, path) => {
  await call();
  expect(last()).toMatchObject({ method, url: `/api/v1/bot${path}`, body: undefined });
});

test.each([
  [
    'setStatus',
    () => client.setStatus('c/1', { text: 'is reading', loading_messages: ['a'] }),
    'PUT /conversations/c%2F1/status',
    { text: 'is reading', loading_messages: ['a'] },
  ],
  ['clearStatus', () => client.clearStatus('c'), 'DELETE /conversations/c/status', undefined],
  [
    'clearStatus of a thread',
    () => client.clearStatus('c', { thread_id: 'm' }),
    'DELETE /conversations/c/status?thread_id=m',
    undefined,
  ],
  [
    'setPrompts',
    () => client.setPrompts('c', { title: 'Ask', prompts: [{ title: 'A', message: 'a?' }] }),
    'PUT /conversations/c/prompts',
    { title: 'Ask', prompts: [{ title: 'A', message: 'a?' }] },
  ],
  ['titleThread', () => client.titleThread('m/1', 'Release'), 'PATCH /threads/m%2F1', { title: 'Release' }],
  ['titleThread with null', () => client.titleThread('m', null), 'PATCH /threads/m', { title: null }],
] as [string, () => Promise<unknown>, string, unknown][])('%s', async (_, call, request, body) => {
  await call();
  expect(last().body).toEqual(body);
  expect(`${last().method} ${last().url}`).toBe(request.replace(' ', ' /api/v1/bot'));
});

test('a trigger is answered by its header, with one key for all attempts', async () => {
  const answers = ['reset', { body: { ok: true, message_id: 'm' } }] as const;
  let next = 0;
  server.respond(() => answers[next++]!);
  await client.messages.answerTrigger('t1', { content: 'Done' });
  expect(last()).toMatchObject({ headers: { 'x-service-trigger-id': 't1' }, body: { content: 'Done' } });
  expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

describe('lists', () => {
  const page = (ids: number[], cursor: string) => ({
    body: { ok: true, next_cursor: cursor, users: ids, warnings: ['x'] },
  });

  test('load pages only as needed', async () => {
    server.respond(({ url }) => (url.includes('cursor=c1') ? page([3], '') : page([1, 2], 'c1')));
    const seen: unknown[] = [];
    for await (const person of client.people()) {
      seen.push(person);
      if (seen.length === 1) expect(server.requests).toHaveLength(1);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(warned).toEqual(Array(2).fill(expect.stringMatching(/^GET .*\/bot\/users: x$/)));
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/bot/users?limit=200',
      '/api/v1/bot/users?limit=200&cursor=c1',
    ]);
  });

  test('a search sends its filters and reads page after page', async () => {
    const result = { message: { text: 'deploy' }, conversation: {}, highlights: [[0, 6]] };
    server.respond(({ url }) => ({
      body: { ok: true, results: [result], next_cursor: url.includes('cursor=c1') ? '' : 'c1' },
    }));
    const found: unknown[] = [];
    for await (const one of client.search('deploy "x y"', { in: 'c', has: 'link' })) found.push(one);
    expect(found).toEqual([result, result]);
    expect(server.requests.map(({ url }) => url)[1]).toBe(
      '/api/v1/bot/search/messages?limit=50&in=c&has=link&q=deploy+%22x+y%22&cursor=c1',
    );
  });

  test('an empty list', async () => {
    server.respond(page([], ''));
    for await (const _ of client.list('/api/v1/admin/users')) throw new Error('nothing to see');
  });

  test.each([
    [
      'newest',
      undefined,
      [5, 4, 3, 2, 1],
      ['limit=2', 'limit=2&before_msg_index=4', 'limit=2&before_msg_index=2'],
    ],
    ['newest', 3, [2, 1], ['limit=2&before_msg_index=3']],
    [
      'oldest',
      undefined,
      [1, 2, 3, 4, 5],
      ['limit=2&after_msg_index=0', 'limit=2&after_msg_index=2', 'limit=2&after_msg_index=4'],
    ],
    ['oldest', 4, [5], ['limit=2&after_msg_index=4']],
  ] as ['newest' | 'oldest', number | undefined, number[], string[]][])(
    'history, %s first from %p',
    async (order, from, expected, queries) => {
      const all = [1, 2, 3, 4, 5];
      server.respond(({ url }) => {
        const query = new URL(url, 'http://x').searchParams;
        const [before, after] = [query.get('before_msg_index'), query.get('after_msg_index')];
        const range = all.filter((index) => index < Number(before ?? 99) && index > Number(after ?? -1));
        const shown = after === null ? range.slice(-2) : range.slice(0, 2);
        const more = range.length > shown.length;
        const messages = shown.map((msg_index) => ({ msg_index }));
        return {
          body: {
            ok: true,
            messages,
            has_more_before: after === null && more,
            has_more_after: after !== null && more,
          },
        };
      });
      const seen: number[] = [];
      for await (const { msg_index } of client.history('c', { order, from })) seen.push(msg_index);
      expect(seen).toEqual(expected);
      expect(server.requests.map(({ url }) => url.split('?')[1]!.replace('200', '2'))).toEqual(queries);
    },
  );
});

describe('an upload', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const calls = () => server.requests.map(({ method, url }) => `${method} ${url}`);
  let storage: Receiver;

  beforeEach(async () => {
    storage = await startReceiver();
    server.respond(({ url }) =>
      url.endsWith('/confirm')
        ? { body: { ok: true, file: { file_id: 'f', status: 'ready' } } }
        : {
            body: {
              ok: true,
              upload: {
                upload_url: `${storage.url}/up?sig=s3cret`,
                method: 'PUT',
                headers: { 'content-type': 'image/png' },
              },
              file: { file_id: 'f', status: 'uploading' },
            },
          },
    );
  });
  afterEach(() => storage.close());

  test.each([
    ['bytes', bytes],
    ['a blob', new Blob([bytes], { type: 'image/png' })],
    ['a stream', new Blob([bytes]).stream() as ReadableStream<Uint8Array>],
  ])('%s: a session, a transfer and a confirmation, each retried if needed', async (kind, content) => {
    const failing = ['reset', 503, 200] as const;
    let next = 0;
    storage.respond(() => failing[Math.min(next++, 2)]!);
    const file = await client.upload({ conversation_id: 'c', content, file_name: 'a.png' });
    expect(file).toMatchObject({ file_id: 'f', status: 'ready' });
    expect(calls()).toEqual(['POST /api/v1/bot/files/upload_sessions', 'POST /api/v1/bot/files/f/confirm']);
    expect(JSON.parse(server.requests[0]!.body.toString())).toEqual({
      conversation_id: 'c',
      file_name: 'a.png',
      file_size: 3,
      mime_type: kind === 'a blob' ? 'image/png' : 'application/octet-stream',
    });
    expect(storage.requests).toHaveLength(3);
    for (const request of storage.requests) {
      expect(request).toMatchObject({ method: 'PUT', url: '/up?sig=s3cret', body: Buffer.from(bytes) });
      expect(request.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '3' });
      expect(request.headers.authorization).toBeUndefined();
    }
  });

  test('rejected by the storage fails without revealing the address', async () => {
    storage.respond({ status: 403, body: 'no' });
    const error = await client
      .upload({ conversation_id: 'c', content: 'text' })
      .catch((error: Error) => error);
    expect(error).toMatchObject({ status: 403 });
    expect(String(error)).not.toContain('s3cret');
    expect(calls()).toHaveLength(1);
  });
});

test('generated functions use the token, retries and keys of the client', async () => {
  const answers = ['reset', 503, { body: { ok: true, message_id: 'm' } }] as const;
  let next = 0;
  server.respond(() => answers[next++]!);
  const api = createClient({ baseUrl: client.url, fetch: client.fetch, throwOnError: true });
  const answer = await sendMessage({ client: api, body: { conversation_id: 'c', content: 'Hi' } });
  expect(answer).toMatchObject({ message_id: 'm' });
  expect(server.requests).toHaveLength(3);
  expect(last()).toMatchObject({ headers: { authorization: 'Bearer tlb_t' }, body: { content: 'Hi' } });
  expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('a direct message is returned once, even if the stream repeats it', async () => {
  const message = (id: string) =>
    `id: ${id}\ndata: ${JSON.stringify({ event: 'message.new', message_id: id })}\n\n`;
  const body = message('1') + message('1') + 'data: {"event":"else"}\n\n' + message('2');
  server.respond({ headers: { 'content-type': 'text/event-stream' }, body });
  const seen: unknown[] = [];
  for await (const { message_id, stream_id } of client.directMessages())
    if (seen.push([message_id, stream_id]) === 2) break;
  expect(seen).toEqual([
    ['1', '1'],
    ['2', '2'],
  ]);
});

test('keyed writes and paged lists match the OpenAPI document', async () => {
  const text = await readFile(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, any>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
      takes: (operation.parameters ?? []).map(({ name }: { name: string }) => name),
    })),
  );
  const keyed = operations.filter(({ takes }) => takes.includes('Idempotency-Key'));
  expect([...KEYED].sort()).toEqual(keyed.map(({ name }) => name).sort());
});
