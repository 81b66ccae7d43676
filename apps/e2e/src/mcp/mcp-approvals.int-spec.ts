import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { connectTo, modern, sendMcp, TASKS, useTool, VERSION } from './mcp-clients.js';
import type { Json, McpResponse } from './mcp-clients.js';

/* Approvals over MCP: tools, tasks instead of a wait, forms that the client's user fills in. */

const CLI = fileURLToPath(new URL('../../../cli/bin/tieline.mjs', import.meta.url));
const UNDERSTANDS_TASKS = { extensions: { [TASKS]: {} } };
const SHOWS_FORMS = { elicitation: { form: {} } };
const NOBODY = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71';

let tieline: Tieline;
let api: Awaited<ReturnType<Tieline['start']>>;
let workspace: Workspace;
let channel: string;
let bot: Client;

beforeAll(async () => {
  tieline = await Tieline.create({ RATE_APPROVALS_PER_SECOND: '1999' });
  api = await tieline.start('api');
  workspace = await createWorkspace(api);
  [channel = ''] = workspace.channels;
  bot = await connectTo(api, workspace.botToken);
});
afterAll(async () => {
  await bot?.close();
  await tieline?.close();
});

const title = 'Deploy v1.4.2?';
const asked = (more: Json = {}): Json => ({ conversation_id: channel, title, ...more });
const decide = (id: string, option: string, more: Json = {}, at = api): Promise<Json> =>
  expectOk(
    call(at, 'POST', `/api/v1/client/approvals/${id}/decide`, workspace.ownerToken, {
      option_id: option,
      ...more,
    }),
  );
const pending = async (): Promise<number> =>
  (await expectOk(call(api, 'GET', '/api/v1/admin/approvals?state=pending&limit=100', workspace.ownerToken)))
    .approvals.length as number;

/** Sends a request of a client with these capabilities. */
const send = (
  method: string,
  params: Json,
  capabilities: Json = UNDERSTANDS_TASKS,
  { token = workspace.botToken, at = api as { url: string } } = {},
): Promise<McpResponse> => sendMcp(at, token, modern(method, params, capabilities));

const request = (given: Json, capabilities?: Json, more: Json = {}): Promise<McpResponse> =>
  send('tools/call', { name: 'request_approval', arguments: given, ...more }, capabilities);

describe('tools', () => {
  test('a request returns immediately, and the same external_id returns the same approval', async () => {
    const given = asked({ tool: 'deploy', arguments: { version: 'v1.4.2' }, external_id: 'deploy-1' });
    const { approval } = await useTool(bot, 'request_approval', given);
    expect(approval).toMatchObject({ state: 'pending', title, arguments: { version: 'v1.4.2' } });
    expect((await useTool(bot, 'request_approval', given)).approval.id).toBe(approval.id);
    expect(await useTool(bot, 'request_approval', { ...given, title: 'Another?' })).toMatchObject({
      isError: true,
      code: 'external_id_reused',
    });
    expect((await useTool(bot, 'get_approval', { id: approval.id })).approval.state).toBe('pending');
    await decide(approval.id as string, 'approve');
    expect((await useTool(bot, 'get_approval', { id: approval.id, wait: 50 })).approval).toMatchObject({
      state: 'approved',
      result: { option_id: 'approve' },
    });
  });

  test('a wait ends with the decision', async () => {
    const { approval } = await useTool(bot, 'request_approval', asked());
    const waiting = useTool(bot, 'get_approval', { id: approval.id, wait: 50 });
    const short = await useTool(bot, 'get_approval', { id: approval.id, wait: 1 });
    expect(short.approval.state).toBe('pending');
    await decide(approval.id as string, 'deny');
    expect((await waiting).approval.state).toBe('denied');
  });

  test('a wait is longer than the API allows, but not endless', async () => {
    const { tools } = await bot.listTools();
    const { properties } = tools.find(({ name }) => name === 'get_approval')?.inputSchema as Json;
    expect(properties.wait).toMatchObject({ minimum: 0, maximum: 50 });
    for (const wait of [51, -1, 1.5, 'soon', [1]])
      expect(await useTool(bot, 'get_approval', { id: NOBODY, wait })).toMatchObject({
        isError: true,
        code: 'invalid_field',
        field: 'wait',
      });
  });

  test('a process that stops ends a wait', async () => {
    const { approval } = await useTool(bot, 'request_approval', asked());
    const stopping = await tieline.start('api');
    const client = await connectTo(stopping, workspace.botToken);
    const waiting = useTool(client, 'get_approval', { id: approval.id, wait: 50 });
    await useTool(client, 'get_approval', { id: approval.id, wait: 1 });
    await stopping.kill('SIGTERM');
    expect((await waiting).approval.state).toBe('pending');
    await client.close();
  });

  test('refusals are those of the API', async () => {
    expect(await useTool(bot, 'get_approval', { id: NOBODY })).toMatchObject({ code: 'approval_not_found' });
    expect(await useTool(bot, 'get_approval', { id: 'x' })).toMatchObject({ field: 'id' });
    for (const [more, error] of [
      [{ conversation_id: NOBODY }, { code: 'bot_not_in_conversation' }],
      [{ title: '' }, { code: 'invalid_field', field: 'title' }],
      [{ expires_in_seconds: 1 }, { field: 'expires_in_seconds' }],
      [{ form: { title: 'x', fields: [] } }, {}],
      [{ wait: 5 }, { code: 'unknown_argument', field: 'wait' }],
    ] as const)
      expect(await useTool(bot, 'request_approval', asked(more))).toMatchObject({ isError: true, ...error });
  });

  test('a person reads approvals and cannot request them', async () => {
    const { approval } = await useTool(bot, 'request_approval', asked());
    const person = await connectTo(api, workspace.ownerToken);
    expect((await useTool(person, 'get_approval', { id: approval.id })).approval).toMatchObject({
      id: approval.id,
      may_decide: true,
    });
    const { tools } = await person.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('request_approval');
    expect(await useTool(person, 'request_approval', asked())).toMatchObject({
      isError: true,
      code: 'token_of_a_person',
    });
    await person.close();
  });
});

describe('tasks', () => {
  const taskOf = async (given = asked()): Promise<Json> => (await request(given)).body.result as Json;
  const get = async (taskId: string, at: { url: string } = api): Promise<Json> =>
    (await send('tasks/get', { taskId }, UNDERSTANDS_TASKS, { at })).body.result as Json;

  test('the server says that it has tasks to clients that can use them', async () => {
    const { body } = await send('server/discover', {}, {});
    expect(body.result.capabilities.extensions).toEqual({ [TASKS]: {} });
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const old = await sendMcp(api, workspace.botToken, { body: initialize });
    expect(old.body.result.capabilities).toEqual({ tools: {}, resources: {} });
  });

  test('a client that understands tasks gets one, and its result after the decision', async () => {
    const task = await taskOf(asked({ text: 'Tested.' }));
    const times = { createdAt: expect.any(String) as unknown, lastUpdatedAt: task.createdAt as string };
    const state = { taskId: task.taskId as string, status: 'working', ttlMs: 31 * 86_400_000, ...times };
    const { _meta, ...created } = task;
    expect(created).toEqual({
      ...state,
      resultType: 'task',
      pollIntervalMs: 5000,
      statusMessage: `Waiting for people to decide: ${title}`,
    });
    expect(await get(state.taskId)).toMatchObject({ ...state, resultType: 'complete' });
    await decide(state.taskId, 'approve', { comment: 'Go.' });
    const ended = await get(state.taskId);
    expect(ended).toMatchObject({ status: 'completed', statusMessage: 'approved' });
    const { approval } = await useTool(bot, 'get_approval', { id: state.taskId });
    expect(approval).toMatchObject({ state: 'approved', text: 'Tested.', result: { comment: 'Go.' } });
    expect(ended.result).toEqual({
      structuredContent: { ok: true, approval },
      content: [{ type: 'text', text: JSON.stringify({ ok: true, approval }) }],
    });
  });

  test('a task survives restarts of both sides', async () => {
    const first = await tieline.start('api');
    const { taskId } = (
      await send('tools/call', { name: 'request_approval', arguments: asked() }, UNDERSTANDS_TASKS, {
        at: first,
      })
    ).body.result as { taskId: string };
    await first.kill('SIGKILL');
    const second = await tieline.start('api');
    expect(await get(taskId, second)).toMatchObject({ taskId, status: 'working' });
    await decide(taskId, 'deny', {}, second);
    await second.kill('SIGKILL');
    expect(await get(taskId)).toMatchObject({ status: 'completed', statusMessage: 'denied' });
  });

  test('what needs no wait is no task', async () => {
    const decided = asked({ external_id: 'twice' });
    const { taskId } = await taskOf(decided);
    await decide(taskId as string, 'approve');
    expect(await taskOf(decided)).toMatchObject({
      resultType: 'complete',
      structuredContent: { approval: { id: taskId, state: 'approved' } },
    });
    expect(await taskOf(asked({ title: '' }))).toMatchObject({ resultType: 'complete', isError: true });
    const other = await send('tools/call', { name: 'list_conversations', arguments: {} });
    expect(other.body.result).toMatchObject({ resultType: 'complete' });
    const without = await request(asked(), {});
    expect(without.body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { approval: { state: 'pending' } },
    });
  });

  test('cancelling a task cancels the approval, unless it is decided', async () => {
    const { taskId } = (await taskOf()) as { taskId: string };
    for (let n = 0; n < 2; n += 1) {
      const { _meta, ...ack } = (await send('tasks/cancel', { taskId })).body.result as Json;
      expect(ack).toEqual({ resultType: 'complete' });
    }
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect((await useTool(bot, 'get_approval', { id: taskId })).approval.state).toBe('cancelled');
    const { taskId: decided } = (await taskOf()) as { taskId: string };
    await decide(decided, 'approve');
    expect((await send('tasks/cancel', { taskId: decided })).body.result).toMatchObject({
      resultType: 'complete',
    });
    expect(await get(decided)).toMatchObject({ status: 'completed', statusMessage: 'approved' });
  });

  test('an update is acknowledged and decides nothing', async () => {
    const { taskId } = (await taskOf()) as { taskId: string };
    const inputResponses = { form: { action: 'accept', content: { option_id: 'approve' } } };
    const { _meta, ...ack } = (await send('tasks/update', { taskId, inputResponses })).body.result as Json;
    expect(ack).toEqual({ resultType: 'complete' });
    expect(await get(taskId)).toMatchObject({ status: 'working' });
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    '%s needs a task of the caller',
    async (method) => {
      const { taskId } = (await taskOf()) as { taskId: string };
      for (const wrong of [NOBODY, 'x', '../../me', ''])
        expect(await send(method, { taskId: wrong })).toMatchObject({ body: { error: { code: -32602 } } });
      expect((await send(method, {})).body.error.code).toBe(-32602);
      const { token } = await expectOk(
        call(api, 'POST', '/api/v1/admin/bots', workspace.ownerToken, { display_name: 'other' }),
      );
      for (const stranger of [token as string, workspace.ownerToken]) {
        const refused = await send(method, { taskId }, UNDERSTANDS_TASKS, { token: stranger });
        expect([refused.body.error.code, refused.body.result]).toEqual([-32602, undefined]);
      }
      expect(await send(method, { taskId }, {})).toMatchObject({
        status: 400,
        body: { error: { code: -32021, data: { requiredCapabilities: UNDERSTANDS_TASKS } } },
      });
      const misnamed = modern(method, { taskId }, UNDERSTANDS_TASKS);
      const headers = { ...misnamed.headers, 'mcp-name': NOBODY };
      expect(await sendMcp(api, workspace.botToken, { ...misnamed, headers })).toMatchObject({
        status: 400,
        body: { error: { code: -32020 } },
      });
      expect(await get(taskId)).toMatchObject({ status: 'working' });
    },
  );

  test('methods of earlier tasks and notifications about tasks are refused', async () => {
    for (const method of ['tasks/list', 'tasks/result'])
      expect(await send(method, { taskId: NOBODY })).toMatchObject({
        status: 404,
        body: { error: { code: -32601 } },
      });
    const notifications = { taskIds: [NOBODY] };
    expect((await send('subscriptions/listen', { notifications })).body.error.code).toBe(-32601);
    expect(await send('subscriptions/listen', { notifications }, {})).toMatchObject({
      status: 400,
      body: { error: { code: -32021 } },
    });
  });

  test('tieline mcp passes the methods of tasks on', async () => {
    const { taskId } = (await taskOf()) as { taskId: string };
    const env = {
      ...(process.env as Record<string, string>),
      TIELINE_URL: api.url,
      TIELINE_TOKEN: workspace.botToken,
    };
    const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env });
    const answer = new Promise<unknown>((resolve) => (transport.onmessage = resolve));
    await transport.start();
    await transport.send(modern('tasks/get', { taskId }, UNDERSTANDS_TASKS).body as never);
    expect(await answer).toMatchObject({ result: { taskId, status: 'working' } });
    await transport.close();
  });
});

describe('forms', () => {
  const form = {
    title: 'When?',
    fields: [
      { id: 'window', type: 'text', label: 'Window', required: true, max_length: 20 },
      { id: 'stage', type: 'select', label: 'Stage', options: [{ value: 'live', label: 'Production' }] },
      { id: 'who', type: 'user', label: 'Who' },
    ],
  };
  const fieldsOf = (approval: Json): Json[] => approval.form.fields as Json[];

  test('the user of the client fills in the form first', async () => {
    const before = await pending();
    const { result } = (await request(asked({ form }), SHOWS_FORMS)).body as { result: Json };
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        form: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: expect.stringContaining(title) as unknown,
            requestedSchema: {
              type: 'object',
              properties: {
                window: { type: 'string', title: 'Window', maxLength: 20 },
                stage: { type: 'string', title: 'Stage', oneOf: [{ const: 'live', title: 'Production' }] },
              },
            },
          },
        },
      },
    });
    expect(result.inputRequests.form.params.requestedSchema.properties).not.toHaveProperty('who');
    expect(await pending()).toBe(before);

    const content = { window: 'tonight', stage: '', who: workspace.botId, extra: 1 };
    const inputResponses = { form: { action: 'accept', content }, other: { action: 'accept' } };
    const { body } = await request(asked({ form }), SHOWS_FORMS, { inputResponses });
    const { approval } = body.result.structuredContent as { approval: Json };
    expect(approval).toMatchObject({ state: 'pending', decisions: [] });
    expect(fieldsOf(approval).map(({ id, initial }) => [id, initial])).toEqual([
      ['window', 'tonight'],
      ['stage', undefined],
      ['who', undefined],
    ]);
    await decide(approval.id as string, 'approve', { values: { window: 'tomorrow' } });
    expect((await useTool(bot, 'get_approval', { id: approval.id })).approval.result.values).toEqual({
      window: 'tomorrow',
    });
  });

  test('a client of both gets a task after the form', async () => {
    const both = { ...SHOWS_FORMS, ...UNDERSTANDS_TASKS };
    const { body: first } = await request(asked({ form }), both);
    expect([first.result.resultType, first.result.taskId]).toEqual(['input_required', undefined]);
    const inputResponses = { form: { action: 'accept', content: { window: 'tonight' } } };
    const { body } = await request(asked({ form }), both, { inputResponses });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working' });
    const { approval } = await useTool(bot, 'get_approval', { id: body.result.taskId });
    expect(fieldsOf(approval as Json)[0]).toMatchObject({ initial: 'tonight' });
  });

  test('a declined form is sent as it is, and a closed one is not sent', async () => {
    const answered = async (action: string): Promise<Json> => {
      const inputResponses = { form: { action, content: { window: 'tonight' } } };
      return (await request(asked({ form }), SHOWS_FORMS, { inputResponses })).body.result as Json;
    };
    const { approval } = (await answered('decline')).structuredContent as { approval: Json };
    expect(fieldsOf(approval)[0]).not.toHaveProperty('initial');
    const before = await pending();
    expect(await answered('cancel')).toMatchObject({
      isError: true,
      structuredContent: { code: 'form_cancelled' },
    });
    expect(await pending()).toBe(before);
  });

  test('wrong answers are asked for again or refused, as the API does', async () => {
    for (const inputResponses of [{}, { other: { action: 'accept' } }, { form: {} }, { form: 5 }])
      expect((await request(asked({ form }), SHOWS_FORMS, { inputResponses })).body.result).toMatchObject({
        resultType: 'input_required',
      });
    const content = { window: 'x'.repeat(21) };
    const tooLong = await request(asked({ form }), SHOWS_FORMS, {
      inputResponses: { form: { action: 'accept', content } },
    });
    expect(tooLong.body.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'invalid_field', error: expect.stringContaining('initial') as unknown },
    });
  });

  test.each<[string, Json, Json]>([
    ['a client without forms', {}, { form }],
    ['a client that only opens links', { elicitation: { url: {} } }, { form }],
    ['an approval without a form', SHOWS_FORMS, {}],
    ['a form with nothing to ask', SHOWS_FORMS, { form: { ...form, fields: [form.fields[2]] } }],
  ])('%s is not asked', async (_, capabilities, more) => {
    expect((await request(asked(more), capabilities)).body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { approval: { state: 'pending' } },
    });
  });

  test.each([null, 5, 'x', [], {}, { fields: 5 }, { fields: [null, 5, { id: 5 }, { type: 'text' }] }])(
    'the form %j is left to the API',
    async (wrong) => {
      const { result } = (await request(asked({ form: wrong }), SHOWS_FORMS)).body as { result: Json };
      expect(result.resultType).toBe('complete');
      expect(result.isError).toBe(wrong === null ? undefined : true);
    },
  );

  test('no form is shown for a call that is refused anyway', async () => {
    const untitled = { conversation_id: channel, form };
    expect((await request(untitled, SHOWS_FORMS)).body.result).toMatchObject({
      isError: true,
      structuredContent: { field: 'title' },
    });
    const person = { token: workspace.ownerToken };
    const params = { name: 'request_approval', arguments: asked({ form }) };
    expect((await send('tools/call', params, SHOWS_FORMS, person)).body.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'token_of_a_person' },
    });
  });

  test('the stock client shows the form', async () => {
    const options = {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: VERSION } },
    };
    const client = await connectTo(api, workspace.botToken, options, (one) =>
      one.setRequestHandler('elicitation/create', () => ({
        action: 'accept' as const,
        content: { window: 'tonight', stage: 'live' },
      })),
    );
    const { approval } = await useTool(client, 'request_approval', asked({ form }));
    expect(fieldsOf(approval as Json)).toMatchObject([{ initial: 'tonight' }, { initial: 'live' }, {}]);
    await client.close();
  });
});
