import fc from 'fast-check';
import { shareTieline } from '../share-tieline.js';
import { call, createWorkspace, expectOk } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';
import { modern, sendMcp, VERSION } from './mcp-clients.js';
import type { Json, McpResponse } from './mcp-clients.js';

/* Bodies and headers that no client should send: refused as JSON-RPC, without any effect. */

const MIB = 1_048_576;
const LIST = modern('tools/list');
const META = 'io.modelcontextprotocol';

let tieline: Tieline;
let api: { url: string };
let workspace: Workspace;
let channel: string;

beforeAll(async () => {
  ({ tieline, api } = await shareTieline());
  workspace = await createWorkspace(api);
  [channel = ''] = workspace.channels;
});
afterAll(() => tieline?.close());

const send = (body: unknown, headers: Record<string, string> = LIST.headers): Promise<McpResponse> =>
  sendMcp(api, workspace.botToken, { body, headers });

/** Returns a call that would post a message. */
const posting = (): { body: Json; headers: Record<string, string> } =>
  modern('tools/call', { name: 'send_message', arguments: { conversation_id: channel, text: 'posted' } });

async function messages(): Promise<number> {
  const path = `/api/v1/channels/${channel}/messages?limit=50`;
  return (await expectOk(call(api, 'GET', path, workspace.botToken))).messages.length as number;
}

const withMeta = (meta: Json): Json => ({ ...LIST.body, params: { _meta: meta } });
const VALID_META = LIST.body.params._meta as Json;
const versioned = (version: unknown): Json => ({ ...VALID_META, [`${META}/protocolVersion`]: version });

test.each<[string, unknown, Record<string, string>, number, number]>([
  ['nothing', '', {}, 400, -32600],
  ['white space', ' \n', {}, 400, -32700],
  ['a text', '"tools/list"', {}, 400, -32700],
  ['a number', '5', {}, 400, -32700],
  ['null', 'null', {}, 400, -32700],
  ['half an object', '{"jsonrpc":"2.0"', {}, 400, -32700],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 400, -32600],
  ['an empty batch', [], {}, 400, -32700],
  ['a batch of two', [LIST.body, { ...LIST.body, id: 2 }], {}, 400, -32700],
  ['a batch of a client of 2025', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], {}, 400, -32700],
  ['another version of JSON-RPC', { ...LIST.body, jsonrpc: '1.0' }, {}, 400, -32600],
  ['a method that is a number', { ...LIST.body, method: 5 }, {}, 400, -32600],
  ['an id that is an object', { ...LIST.body, id: {} }, {}, 400, -32600],
  ['parameters in a list', { ...LIST.body, params: [1] }, {}, 400, -32600],
])('%s is no message', async (_, body, headers, status, code) => {
  const answer = await send(body, { ...LIST.headers, ...headers });
  expect([answer.status, answer.body.jsonrpc, answer.body.error?.code]).toEqual([status, '2.0', code]);
});

test.each<[string, unknown, string, number]>([
  ['an unknown revision', versioned('2027-01-01'), '2027-01-01', -32022],
  ['a revision that is no date', versioned('latest'), 'latest', -32022],
  ['another revision in the header', VALID_META, '2025-11-25', -32020],
  ['an unknown revision in the header', VALID_META, '2027-01-01', -32020],
  ['no capabilities', { [`${META}/protocolVersion`]: VERSION }, VERSION, -32602],
  ['capabilities in a list', { ...VALID_META, [`${META}/clientCapabilities`]: [] }, VERSION, -32602],
])('%s is refused', async (_, meta, header, code) => {
  const { status, body } = await send(withMeta(meta as Json), {
    ...LIST.headers,
    'mcp-protocol-version': header,
  });
  expect([status, body.error?.code]).toEqual([400, code]);
});

test('the refusal of an id with a fraction carries that id', async () => {
  expect(await send({ ...LIST.body, id: 1.5 })).toMatchObject({ status: 400, body: { id: 1.5 } });
});

test('a client of 2025 with a revision that never was is refused', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const version of ['1999-01-01', 'x'])
    expect(await send(body, { 'mcp-protocol-version': version })).toMatchObject({ status: 400 });
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonl',
  'text/json',
])('the content type %s is refused', async (type) => {
  const before = await messages();
  const { body, headers } = posting();
  const answer = await send(body, { ...headers, 'content-type': type });
  expect([answer.status, answer.body.jsonrpc, typeof answer.body.error.code]).toEqual([415, '2.0', 'number']);
  expect(await messages()).toBe(before);
});

test('a content type may have parameters and capitals', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
    expect((await send(LIST.body, { ...LIST.headers, 'content-type': type })).status).toBe(200);
});

test('a body has at most 1 MiB', async () => {
  const padded = (bytes: number): string => {
    const text = JSON.stringify(LIST.body);
    return text + ' '.repeat(bytes - Buffer.byteLength(text));
  };
  expect((await send(padded(MIB))).status).toBe(200);
  expect(await send(padded(MIB + 1))).toMatchObject({ status: 413, body: { jsonrpc: '2.0', error: {} } });
  const unsized = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      ...LIST.headers,
      'content-type': 'application/json',
      authorization: `Bearer ${workspace.botToken}`,
    },
    body: new Blob([padded(MIB + 1)]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(unsized.status).toBe(413);
});

test('answers and notifications of a client have no effect', async () => {
  for (const body of [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ])
    expect((await send(body, {})).status).toBeLessThan(500);
  const before = await messages();
  for (const { body, headers } of [posting(), modern('subscriptions/listen', { notifications: {} })]) {
    const { id: _, ...notification } = body;
    expect((await send(notification, headers)).status).toBeLessThan(500);
  }
  expect(await messages()).toBe(before);
});

test('deep and strange arguments are refused', async () => {
  for (const given of [
    { conversation_id: channel, text: 'DEEP' },
    JSON.parse('{"__proto__":{"conversation_id":"x"},"text":"x"}') as Json,
    { constructor: 1, conversation_id: channel, text: 'x' },
    [channel],
    'x',
  ]) {
    const { body, headers } = modern('tools/call', { name: 'send_message', arguments: given });
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const answer = await send(JSON.stringify(body).replace('"DEEP"', deep), headers);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body.error ?? answer.body.result).toMatchObject(
      answer.body.error ? { code: expect.any(Number) as unknown } : { isError: true },
    );
  }
});

test('no body brings the endpoint down', async () => {
  const part = fc.jsonValue({ maxDepth: 3 });
  const bodies = fc.oneof(
    fc.string({ unit: 'binary' }),
    part.map((value) => JSON.stringify(value)),
    fc
      .record(
        {
          jsonrpc: fc.oneof(fc.constant('2.0'), part),
          id: fc.oneof(fc.integer(), part),
          method: fc.oneof(
            fc.constantFrom('tools/list', 'tools/call', 'resources/read', 'tasks/get', 'initialize', 'x'),
            part,
          ),
          params: fc.oneof(fc.constant({ _meta: VALID_META, name: 'get_approval', arguments: {} }), part),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const headers = fc.constantFrom<Record<string, string>>({}, LIST.headers, {
    'mcp-protocol-version': '2025-06-18',
  });
  await fc.assert(
    fc.asyncProperty(bodies, headers, async (body, given) => {
      const answer = await send(body, given);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: {} });
    }),
    { numRuns: Number(process.env.FUZZ_CASES ?? 150) },
  );
  expect((await send(LIST.body)).status).toBe(200);
});
