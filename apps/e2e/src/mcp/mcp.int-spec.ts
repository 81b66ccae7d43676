import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventually } from '@tieline/testing';
import { fileURLToPath } from 'node:url';
import { call, createWorkspace, expectOk, post, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/** The stock client against the endpoint of a real api, and against `tieline mcp`. */

type Json = Record<string, any>;
type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

const CLI = fileURLToPath(new URL('../../../cli/bin/tieline.mjs', import.meta.url));
const VERSION = '2026-07-28';
const MODES: Record<string, ClientOptions> = {
  [VERSION]: { versionNegotiation: { mode: { pin: VERSION } } },
  'a client of 2025': {},
};
const READING = ['list_conversations', 'read_conversation', 'read_thread', 'list_files', 'get_file'];
const SEARCHING = ['search_messages', 'search_people', 'search_conversations'];
const WRITING = ['send_message', 'edit_message', 'delete_message', 'react'];
const RUNS = ['set_status', 'start_run', 'append_run', 'finish_run', 'update_task'];
const APPROVALS = ['request_approval', 'get_approval'];

let tieline: Tieline;
let api: { url: string };
let workspace: Workspace;
let channel: string;
const clients: Client[] = [];

beforeAll(async () => {
  tieline = await Tieline.create({ PUBLIC_URL: 'https://chat.example' });
  api = await tieline.start('api');
  workspace = await createWorkspace(api);
  [channel = ''] = workspace.channels;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await tieline?.close();
});

async function connect(token: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit }));
  clients.push(client);
  return client;
}

/** Starts `tieline mcp` and connects to it. */
async function start(token: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const env = { ...(process.env as Record<string, string>), TIELINE_URL: api.url, TIELINE_TOKEN: token };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }));
  clients.push(client);
  return client;
}

/** Calls a tool. The client compares the result with the tool's schema. */
async function use(client: Client, name: string, given: Json = {}): Promise<Json> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { ...(structuredContent as Json), ...(isError === true && { isError }) };
}

const named = (tools: Tool[], name: string): Tool => tools.find((one) => one.name === name) as Tool;

describe.each(Object.entries(MODES))('%s', (_, options) => {
  test('a bot reads, writes and works on runs', async () => {
    const bot = await connect(workspace.botToken, options);
    expect(bot.getServerVersion()).toMatchObject({ name: 'tieline' });
    const { tools } = await bot.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...READING,
      ...SEARCHING,
      ...WRITING,
      ...RUNS,
      ...APPROVALS,
    ]);
    expect(named(tools, 'delete_message').annotations).toMatchObject({ destructiveHint: true });
    expect(named(tools, 'read_thread')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: { required: ['conversation_id', 'thread_id'], additionalProperties: false },
    });

    const sent = await use(bot, 'send_message', {
      conversation_id: channel,
      text: 'Hello 👋',
      idempotency_key: `hello:${_}`.replace(/[^\w:]/g, ''),
    });
    const repeated = await use(bot, 'send_message', {
      conversation_id: channel,
      text: 'Hello 👋',
      idempotency_key: `hello:${_}`.replace(/[^\w:]/g, ''),
    });
    expect(repeated.message_id).toBe(sent.message_id);
    const reply = await use(bot, 'send_message', {
      conversation_id: channel,
      text: 'A reply',
      parent_message_id: sent.message_id,
    });
    await use(bot, 'edit_message', { message_id: sent.message_id, text: 'Hello again' });
    await use(bot, 'react', { message_id: sent.message_id, emoji: '🎉', remove: false });
    const page = await use(bot, 'read_conversation', { conversation_id: channel, limit: 1 });
    expect(page).toMatchObject({
      messages: [{ text: 'Hello again', reactions: [{ emoji: '🎉' }] }],
      has_more_after: false,
    });
    await use(bot, 'react', { message_id: sent.message_id, emoji: '🎉', remove: true });
    const thread = await use(bot, 'read_thread', { conversation_id: channel, thread_id: sent.message_id });
    expect(thread.messages).toMatchObject([{ id: reply.message_id, text: 'A reply' }]);
    const { conversations } = await use(bot, 'list_conversations');
    expect(conversations).toMatchObject([{ id: channel }]);
    await use(bot, 'delete_message', { message_id: reply.message_id });

    const read = async (uri: string): Promise<Json> => {
      const { contents } = await bot.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text) as Json;
    };
    expect(await bot.listResources()).toMatchObject({
      resources: [{ uri: `tieline://conversations/${channel}` }],
    });
    const { resourceTemplates } = await bot.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual([
      'conversation',
      'messages',
      'message',
      'file',
    ]);
    expect(await read(`tieline://messages/${sent.message_id}`)).toMatchObject({
      message: { text: 'Hello again', reactions: [] },
    });
    expect(await read(`tieline://conversations/${channel}`)).toMatchObject({ conversation: { id: channel } });
    const { messages } = await read(`tieline://conversations/${channel}/messages`);
    expect((messages as Json[]).at(-1)).toMatchObject({ id: sent.message_id });
  });

  test('a run goes from its start to its end', async () => {
    const { message_id: trigger } = await expectOk(
      call(api, 'POST', `/api/v1/client/conversations/${channel}/messages`, workspace.ownerToken, {
        text: '?',
      }),
    );
    const bot = await connect(workspace.botToken, options);
    const status = { conversation_id: channel, text: 'is looking', loading_messages: ['Reading …'] };
    expect(await use(bot, 'set_status', status)).toEqual({
      ok: true,
      expires_at: expect.any(String) as unknown,
    });
    expect(await use(bot, 'set_status', { ...status, text: '' })).toMatchObject({
      isError: true,
      field: 'text',
    });
    const { agent_run: run } = await use(bot, 'start_run', {
      conversation_id: channel,
      trigger_message_id: trigger,
      idempotency_key: `run:${trigger}`,
    });
    const step = { run_id: run.id, sequence: run.sequence + 1 };
    await use(bot, 'append_run', { ...step, status: 'using_tool', append: 'Looking' });
    const wrong = await use(bot, 'finish_run', { ...step, sequence: 9, status: 'using_tool' });
    expect(wrong).toMatchObject({ isError: true, code: 'invalid_field', field: 'status' });
    const ended = await use(bot, 'finish_run', { ...step, sequence: step.sequence + 1, status: 'completed' });
    expect(ended.agent_run).toMatchObject({ is_terminal: true, public_text: 'Looking' });
    const { execution_task: task } = await expectOk(
      call(api, 'POST', '/api/v1/bot/execution_tasks', workspace.botToken, {
        conversation_id: channel,
        idempotency_key: `task:${trigger}`,
      }),
    );
    const given = { widget_id: task.widget_id, sequence: task.sequence, status: 'in_progress' };
    const { execution_task: changed } = await use(bot, 'update_task', given);
    expect(changed).toMatchObject({ status: 'in_progress', sequence: task.sequence + 1 });
    expect(await use(bot, 'update_task', given)).toMatchObject({ isError: true, code: 'stale_sequence' });
  });

  test('a person has the tools of people and no others', async () => {
    const person = await connect(workspace.ownerToken, options);
    const { tools } = await person.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...SEARCHING, ...WRITING, 'get_approval']);
    const sent = await use(person, 'send_message', { conversation_id: channel, text: 'from a person' });
    const page = await use(person, 'read_conversation', { conversation_id: channel, limit: 1 });
    expect(page.messages).toMatchObject([{ id: sent.message_id, author_type: 'user' }]);
    expect(
      await use(person, 'start_run', {
        conversation_id: channel,
        trigger_message_id: sent.message_id,
        idempotency_key: 'run:x',
      }),
    ).toMatchObject({ isError: true, code: 'token_of_a_person' });
  });

  test('tieline mcp does the same over stdio', async () => {
    const bot = await start(workspace.botToken, options);
    const { tools } = await bot.listTools();
    expect(tools).toEqual((await (await connect(workspace.botToken, options)).listTools()).tools);
    const text = 'über stdio \u202e\u0085 👋';
    const { message_id: id } = await use(bot, 'send_message', { conversation_id: channel, text });
    const { contents } = await bot.readResource({ uri: `tieline://messages/${id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ message: { text } });
    expect(await use(bot, 'delete_message', { message_id: channel })).toMatchObject({ isError: true });
    await bot.close();
  });
});

test('messages, people and conversations are found', async () => {
  const worker = await tieline.start('worker');
  const { message_id: id } = await expectOk(
    call(api, 'POST', `/api/v1/client/conversations/${channel}/messages`, workspace.ownerToken, {
      text: 'The quokka sleeps',
    }),
  );
  for (const token of [workspace.botToken, workspace.ownerToken]) {
    const client = await connect(token);
    await eventually(async () => {
      const { results } = await use(client, 'search_messages', { q: 'quokk*', in: channel, limit: 5 });
      expect(results).toMatchObject([{ message: { id } }]);
    });
    expect((await use(client, 'search_messages', { q: '-quokka quokka' })).results).toEqual([]);
    expect((await use(client, 'search_conversations', { q: 'channel-0' })).conversations).toMatchObject([
      { id: channel },
    ]);
    const people = await use(client, 'search_people', { q: 'nobody of this name' });
    expect([people.people ?? people.users]).toEqual([[]]);
    expect(await use(client, 'search_people')).toMatchObject({ isError: true, field: 'q' });
  }
  await worker.kill('SIGKILL');
});

test('files are listed and linked', async () => {
  const { upload } = await expectOk(
    call(api, 'POST', '/api/v1/bot/files/upload_sessions', workspace.botToken, {
      conversation_id: channel,
      file_name: 'a.txt',
      file_size: 2,
      mime_type: 'text/plain',
    }),
  );
  const address = String(upload.upload_url).replace('https://chat.example', api.url);
  expect((await fetch(address, { method: upload.method, headers: upload.headers, body: 'hi' })).ok).toBe(
    true,
  );
  const body = { conversation_id: channel };
  await expectOk(call(api, 'POST', `/api/v1/bot/files/${upload.file_id}/confirm`, workspace.botToken, body));
  await expectOk(
    call(api, 'POST', '/api/v1/bot/messages', workspace.botToken, {
      ...body,
      attachments: [{ file_id: upload.file_id }],
    }),
  );
  for (const token of [workspace.botToken, workspace.ownerToken]) {
    const client = await connect(token);
    const { files } = await use(client, 'list_files', body);
    expect(files).toMatchObject([{ file_id: upload.file_id, file_name: 'a.txt' }]);
    const file =
      token === workspace.botToken ? { ...body, file_id: upload.file_id } : { file_id: upload.file_id };
    const { download_url: link } = await use(client, 'get_file', file);
    const response = await fetch(String(link).replace('https://chat.example', api.url));
    expect(await response.text()).toBe('hi');
    const uri = `tieline://conversations/${channel}/files/${upload.file_id}`;
    expect((await client.readResource({ uri })).contents).toHaveLength(1);
  }
});

describe('errors', () => {
  const REVISION = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: REVISION } };
  const MODERN = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' };

  const send = async (
    body: unknown,
    {
      headers = MODERN,
      token = workspace.botToken,
    }: { headers?: Record<string, string>; token?: string } = {},
  ): Promise<{ status: number; headers: Headers; body: Json }> => {
    const response = await fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text ? (JSON.parse(text) as Json) : {},
    };
  };

  test('a refused tool is a result with the code and field of the API', async () => {
    const bot = await connect(workspace.botToken);
    const to = { conversation_id: channel };
    for (const [name, given, error] of [
      ['send_message', { ...to, text: 'x'.repeat(4001) }, { field: 'text' }],
      ['send_message', { text: 'x' }, { code: 'invalid_field', field: 'conversation_id' }],
      ['send_message', { ...to, text: 'x', to: 'y' }, { code: 'unknown_argument', field: 'to' }],
      ['send_message', { conversation_id: workspace.botId, text: 'x' }, { code: 'bot_not_in_conversation' }],
      ['read_conversation', { conversation_id: '../me' }, { code: 'invalid_field' }],
      ['read_conversation', { ...to, limit: 500 }, { field: 'limit' }],
      ['read_conversation', { ...to, limit: { a: 1 } }, { code: 'invalid_field', field: 'limit' }],
      ['react', { message_id: channel, emoji: '..' }, { code: 'invalid_field', field: 'emoji' }],
      ['react', { message_id: channel, emoji: '👍', remove: 'yes' }, { field: 'remove' }],
      ['delete_message', { message_id: channel }, { code: 'message_not_found' }],
    ] as const) {
      const result = await use(bot, name, given);
      expect([name, given, result]).toEqual([
        name,
        given,
        expect.objectContaining({ isError: true, ...error }),
      ]);
      expect(result.error).toEqual(expect.any(String));
    }
    await expect(use(bot, 'drop_database')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('drop_database') as unknown,
    });
    await expect(bot.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32602 });
    await expect(bot.readResource({ uri: `tieline://messages/${channel}` })).rejects.toMatchObject({
      data: { code: 'message_not_found' },
    });
  });

  test('rates are those of the API, and the result says when to try again', async () => {
    const limited = await tieline.start('api', { RATE_BOT_MESSAGES_PER_SECOND: '1' });
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${workspace.botToken}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${limited.url}/mcp`), { requestInit }));
    clients.push(client);
    const to = { conversation_id: channel, text: 'x' };
    const { refused, accepted, seconds } = await eventually(async () => {
      const begun = performance.now();
      const results = await Promise.all(Array.from({ length: 10 }, () => use(client, 'send_message', to)));
      const errors = results.filter(({ isError }) => isError);
      // None if the ten took ten seconds.
      expect(errors).not.toEqual([]);
      return {
        refused: errors,
        accepted: results.length - errors.length,
        seconds: (performance.now() - begun) / 1000,
      };
    });
    // One in each window of a second that the calls touched.
    expect(accepted).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    for (const one of refused) expect(one).toMatchObject({ code: 'rate_limited', retry_after_seconds: 1 });
  });

  test('a missing or invalid token gets 401, which names the metadata', async () => {
    for (const token of ['', 'tlb_no', 'tlc_no']) {
      const { status, headers, body } = await send(LIST, { token });
      expect([status, body.error.data.code]).toEqual([
        401,
        token ? 'invalid_token' : 'missing_authorization',
      ]);
      expect(headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="https://chat.example/.well-known/oauth-protected-resource/mcp"',
      );
    }
    const metadata = await (await fetch(`${api.url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(metadata).toMatchObject({ resource: 'https://chat.example/mcp' });
  });

  test('Host and Origin of another site get 403', async () => {
    const page = { ...MODERN, origin: 'https://evil.example' };
    expect(await send(LIST, { headers: page })).toMatchObject({
      status: 403,
      body: { error: { data: { code: 'origin_not_allowed' } } },
    });
    for (const origin of ['null', 'https://chat.example.evil.example', 'x'])
      expect((await send(LIST, { headers: { ...MODERN, origin } })).status).toBe(403);
    expect((await send(LIST, { headers: { ...MODERN, origin: 'https://chat.example' } })).status).toBe(200);
    const hosts = { 'evil.example': 403, 'evil.example:3000': 403, 'chat.example': 200, 'localhost:1': 200 };
    for (const [host, status] of Object.entries(hosts))
      expect([host, await statusWithHost(host)]).toEqual([host, status]);
  });

  /** `fetch` sends no other `Host`. */
  async function statusWithHost(host: string): Promise<number> {
    const { request } = await import('node:http');
    const body = JSON.stringify(LIST);
    return new Promise((resolve, reject) => {
      request(`${api.url}/mcp`, {
        method: 'POST',
        headers: {
          ...MODERN,
          host,
          'content-type': 'application/json',
          authorization: `Bearer ${workspace.botToken}`,
        },
      })
        .on('response', (response) => resolve(response.resume().statusCode ?? 0))
        .on('error', reject)
        .end(body);
    });
  }

  test('other methods get 405 with Allow', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${api.url}/mcp`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  });

  test.each<[string, unknown, Record<string, string>, number, number]>([
    ['no JSON', '{', MODERN, 400, -32700],
    ['a batch', [LIST], MODERN, 400, -32700],
    ['no message', {}, MODERN, 400, -32600],
    ['another content type', LIST, { ...MODERN, 'content-type': 'text/plain' }, 415, -32000],
    ['a compressed body', LIST, { ...MODERN, 'content-encoding': 'gzip' }, 415, -32600],
    ['a body over 1 MiB', { ...LIST, pad: 'x'.repeat(1_048_576) }, MODERN, 413, -32600],
    ['another method in the header', LIST, { ...MODERN, 'mcp-method': 'tools/call' }, 400, -32020],
    ['no method in the header', LIST, { 'mcp-protocol-version': VERSION }, 400, -32020],
    [
      'another revision in the header',
      LIST,
      { ...MODERN, 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['an unknown method', { ...LIST, method: 'x/y' }, { ...MODERN, 'mcp-method': 'x/y' }, 404, -32601],
  ])('%s is refused as JSON-RPC', async (_name, body, headers, status, code) => {
    const answer = await send(body, { headers });
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ jsonrpc: '2.0', error: expect.objectContaining({ code }) as unknown }),
    ]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  test('an unknown revision is refused with the known ones', async () => {
    const params = { _meta: { ...REVISION, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } };
    const headers = { ...MODERN, 'mcp-protocol-version': '2027-01-01' };
    expect(await send({ ...LIST, params }, { headers })).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: expect.arrayContaining([VERSION]) as unknown } } },
    });
  });

  test('a revision without a handshake needs no earlier request, and nothing is remembered', async () => {
    const discover = { ...LIST, method: 'server/discover' };
    const { status, body, headers } = await send(discover, {
      headers: { ...MODERN, 'mcp-method': 'server/discover' },
    });
    expect([status, body.result.supportedVersions]).toEqual([200, [VERSION]]);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect((await send({ ...LIST, id: 2 })).body.result.tools.length).toBeGreaterThan(10);
    const listen = {
      ...LIST,
      method: 'subscriptions/listen',
      params: { _meta: REVISION, notifications: {} },
    };
    const refused = await send(listen, { headers: { ...MODERN, 'mcp-method': 'subscriptions/listen' } });
    expect([refused.status, refused.body.error.code]).toEqual([404, -32601]);
  });
});

test('a message that a tool sends is the same as one of the API', async () => {
  const bot = await connect(workspace.botToken);
  const [id] = [await post(api, workspace, 'same')];
  const { message_id: other } = await use(bot, 'send_message', { conversation_id: channel, text: 'same' });
  const shown = async (one: string): Promise<Json> =>
    (await expectOk(call(api, 'GET', `/api/v1/bot/messages/${one}`, workspace.botToken))).message as Json;
  const { id: _a, message_id: _b, permalink: _c, msg_index: _d, sent_at: _e, ...first } = await shown(id);
  expect(await shown(other as string)).toMatchObject(first);
});
