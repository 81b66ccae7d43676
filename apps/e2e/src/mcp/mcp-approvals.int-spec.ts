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
