import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram, eventually } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { shareTieline } from '../../share-tieline.js';
import { call, createWorkspace, expectOk } from '../../tieline.js';
import type { Tieline, Workspace } from '../../tieline.js';
import { pathOf } from '../start-example.js';

/* Each example of examples/approvals is killed between its question and the decision. */

type Fields = Record<string, any>;

let tieline: Tieline;
let api: AppProcess;
let folder: string;
let workspace: Workspace;
let program: ChildProgram | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-approval-examples-'));
  ({ tieline, api } = await shareTieline());
});
beforeEach(async () => {
  workspace = await createWorkspace(api);
});
afterEach(() => program?.end());
afterAll(async () => {
  await tieline?.close();
  rmSync(folder, { recursive: true, force: true });
});

const asPerson = (method: string, to: string, body?: object): Promise<Fields> =>
  expectOk(call(api, method, `/api/v1/${to}`, workspace.ownerToken, body));

function start(file: string): ChildProgram {
  program = new ChildProgram(process.execPath, [file], {
    env: {
      TIELINE_URL: api.url,
      TIELINE_TOKEN: workspace.botToken,
      TIELINE_CURSOR_FILE: path.join(folder, `cursor-${workspace.botId}`),
      CHECKPOINTS: path.join(folder, `checkpoints-${workspace.botId}`),
      CHANNEL: workspace.channels[0],
    },
  });
  return program;
}

/** Waits until the question exists. @returns the approval */
const asked = (title: string): Promise<Fields> =>
  eventually(async () => {
    const { approvals } = await asPerson('GET', 'client/approvals');
    const found = (approvals as Fields[]).find((one) => one.title === title);
    if (!found) throw new Error(`${title} was not asked; the program wrote: ${program?.output}`);
    return found;
  });

const decide = ({ id }: Fields, optionId: string, comment?: string): Promise<Fields> =>
  asPerson('POST', `client/approvals/${id}/decide`, { option_id: optionId, comment });

async function titles(): Promise<string[]> {
  const { approvals } = await asPerson('GET', 'admin/approvals');
  return (approvals as Fields[]).map(({ title }) => title as string).reverse();
}

const texts = async (): Promise<string[]> =>
  (await asPerson('GET', `channels/${workspace.channels[0]}/messages`)).messages.map(
    ({ text }: { text: string }) => text,
  );

const here = (file: string): string => path.join(import.meta.dirname, file);

/** Another person of the channel, because those who asked for something may not approve it. */
async function colleague(): Promise<string> {
  const { user, token } = await asPerson('POST', 'admin/users', { display_name: 'Ann', role: 'member' });
  const members = `client/conversations/${workspace.channels[0]}/members`;
  await asPerson('POST', members, { member_id: user.id });
  return token as string;
}

test('the plain bot deploys once, although it is killed between its question and the decision', async () => {
  const token = await colleague();
  await start(pathOf('approvals/plain-bot.mjs')).hasWritten(/ready:/);
  await asPerson('POST', `client/conversations/${workspace.channels[0]}/commands`, { text: '/deploy v2' });
  const { id } = await eventually(async () => {
    const [approval] = (await asPerson('GET', 'admin/approvals?state=pending')).approvals;
    if (!approval) throw new Error(`nothing was asked; the bot wrote: ${program?.output}`);
    return approval as Fields;
  });
  await program!.end();
  const path = `/api/v1/client/approvals/${id}/decide`;
  expect((await call(api, 'POST', path, workspace.ownerToken, { option_id: 'approve' })).status).toBe(403);
  await expectOk(call(api, 'POST', path, token, { option_id: 'approve' }));
  await start(pathOf('approvals/plain-bot.mjs')).hasWritten(/deploying v2/);
  await eventually(async () => expect((await texts()).at(-1)).toBe('Deployed v2'));
  expect(await titles()).toEqual(['Deploy v2 to production?']);
  expect(await program!.end('SIGTERM')).toBe(0);
  expect((await texts()).filter((text) => text === 'Deployed v2')).toHaveLength(1);
});

test('a graph is resumed with each decision, although it is killed before both', async () => {
  start(here('graph.mjs'));
  const first = await asked('deploy v2?');
  expect(first).toMatchObject({ tool: 'deploy', arguments: { title: 'deploy v2?' } });
  await program!.end();
  await decide(first, 'approve');
  start(here('graph.mjs'));
  const second = await asked('Really v2?');
  await program!.end();
  start(here('graph.mjs'));
  await decide(second, 'approve', 'go');
  await program!.hasWritten(/ended .*"outcome":"deployed: go"/);
  expect(await titles()).toEqual(['deploy v2?', 'Really v2?']);
  start(here('graph.mjs'));
  await program!.hasWritten(/ended .*"outcome":"deployed: go"/);
  expect(await titles()).toHaveLength(2);
});

test('a graph learns of a denial', async () => {
  start(here('graph.mjs'));
  await decide(await asked('deploy v2?'), 'deny');
  await program!.hasWritten(/ended .*"outcome":"dropped"/);
});

test('the tool of a model returns what people chose, although it is killed before', async () => {
  start(here('tool-call.mjs'));
  const approval = await asked('Which region?');
  expect(approval.options).toMatchObject([{ label: 'Europe' }, { label: 'Asia' }]);
  await program!.end();
  await decide(approval, 'choice-1', 'closer');
  start(here('tool-call.mjs'));
  await program!.hasWritten(/answered \{"choice":"Asia","comment":"closer"\}/);
  expect(await titles()).toEqual(['Which region?']);
});

describe('the permission prompt', () => {
  const clients: Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  /** Starts the server as `claude` does. */
  async function connect(): Promise<{ ask: (given: Fields) => Promise<Fields>; pid: number }> {
    const client = new Client({ name: 'test', version: '1' });
    const env = { TIELINE_URL: api.url, TIELINE_TOKEN: workspace.botToken, CHANNEL: workspace.channels[0]! };
    const args = [pathOf('approvals/permission-prompt.mjs')];
    const transport = new StdioClientTransport({ command: process.execPath, args, env });
    await client.connect(transport);
    clients.push(client);
    const ask = async (given: Fields): Promise<Fields> => {
      const { content } = await client.callTool({ name: 'permission_prompt', arguments: given });
      return JSON.parse((content as { text: string }[])[0]!.text) as Fields;
    };
    return { ask, pid: transport.pid! };
  }

  const given = { tool_name: 'Bash', input: { command: 'rm -r build' }, tool_use_id: 'toolu_1' };

  test('allows what people approved, although it is killed between its question and the decision', async () => {
    const { ask, pid } = await connect();
    const lost = ask(given).catch(() => 'lost');
    const approval = await asked('Allow Bash?');
    expect(approval).toMatchObject({ tool: 'Bash', arguments: given.input, external_id: 'toolu_1' });
    process.kill(pid, 'SIGKILL');
    expect(await lost).toBe('lost');
    await decide(approval, 'approve');
    const again = await connect();
    expect(await again.ask(given)).toEqual({ behavior: 'allow', updatedInput: given.input });
    expect(await titles()).toEqual(['Allow Bash?']);
  });

  test('denies what people denied, and what Tieline refuses', async () => {
    const { ask } = await connect();
    const answer = ask(given);
    await decide(await asked('Allow Bash?'), 'deny', 'Use git clean.');
    expect(await answer).toEqual({ behavior: 'deny', message: 'Use git clean.' });
    const large = { ...given, tool_use_id: 'toolu_2', input: { text: 'x'.repeat(20_000) } };
    expect(await ask(large)).toMatchObject({ behavior: 'deny' });
    expect(await titles()).toHaveLength(1);
  });
});
