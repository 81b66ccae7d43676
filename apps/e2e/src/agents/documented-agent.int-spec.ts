import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, EventStreamClient, PublishedProgram } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { inRepository, whyNoPython } from '../python/start-python.js';
import { shareTieline } from '../share-tieline.js';
import { call, createWorkspace, expectOk } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';

/* The agents of docs/agents.md, as published, against the product. */

type Fields = Record<string, any>;

const MAX_LINES = 60;
/** Without Python, the agent in Python is not tested. */
const LANGUAGES = whyNoPython() === undefined ? (['ts', 'python'] as const) : (['ts'] as const);

let tieline: Tieline;
let api: AppProcess;
let folder: string;
let workspace: Workspace;
let stream: EventStreamClient;
let agent: PublishedProgram;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-documented-agent-'));
  ({ tieline, api } = await shareTieline());
});
beforeEach(async () => {
  workspace = await createWorkspace(api);
  await asPerson('PATCH', `admin/bots/${workspace.botId}`, { event_types: ['MESSAGE_CREATED'] });
  stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, workspace.ownerToken);
});
afterEach(() => {
  agent?.close();
  stream?.close();
});
afterAll(async () => {
  await tieline?.close();
  rmSync(folder, { recursive: true, force: true });
});

const asPerson = (method: string, to: string, body?: object): Promise<Fields> =>
  expectOk(call(api, method, `/api/v1/${to}`, workspace.ownerToken, body));

const start = (): Promise<void> =>
  agent.start({
    TIELINE_URL: api.url,
    TIELINE_TOKEN: workspace.botToken,
    TIELINE_CURSOR_FILE: path.join(folder, workspace.botId),
    PYTHONPATH: inRepository('sdk/python'),
    PYTHONDONTWRITEBYTECODE: '1',
  });

const say = (text: string): Promise<Fields> =>
  asPerson('POST', `client/conversations/${workspace.channels[0]}/messages`, { text });

/** Returns what the agent has written, oldest first. */
async function written(): Promise<Fields[]> {
  const { messages } = await asPerson('GET', `channels/${workspace.channels[0]}/messages`);
  return (messages as Fields[]).filter(({ author_id: id }) => id === workspace.botId);
}

const runOf = (message: Fields | undefined): Fields =>
  (JSON.parse(message?.metadata_json ?? '{}') as Fields).agent_run ?? {};

/** Waits for the agent's only message. */
const shows = (isWanted: (message: Fields) => boolean): Promise<Fields> =>
  eventually(
    async () => {
      const [message, ...more] = await written();
      expect(more).toEqual([]);
      if (!message || !isWanted(message))
        throw new Error(`${JSON.stringify(message)}; the agent wrote: ${agent.output}`);
      return message;
    },
    { timeoutMs: 120_000 },
  );

const endsWith = (status: string): Promise<Fields> => shows((message) => runOf(message).status === status);

/** Waits until the approval exists. @returns its id */
const asked = (): Promise<string> =>
  eventually(async () => {
    const { approvals } = await asPerson('GET', 'client/approvals');
    expect(approvals).toHaveLength(1);
    return approvals[0].id as string;
  });

/** A question that the agent repeats word by word, ten words a second. */
const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');

describe.each(LANGUAGES)('the agent in %s', (language) => {
  beforeEach(async () => {
    agent = await PublishedProgram.of('docs/agents.md', language);
  });

  test(`has at most ${MAX_LINES} lines`, () => {
    expect(agent.source.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  test('shows its status, then an answer that grows', async () => {
    await start();
    await say('What failed?');
    await stream.until(() => stream.events.some(({ event }) => event === 'bot.status'), 60_000);
    expect(stream.events.find(({ event }) => event === 'bot.status')).toMatchObject({
      bot_id: workspace.botId,
      text: 'is searching the tickets',
    });
    expect((await endsWith('completed')).text.trim()).toBe('You asked: What failed? See OPS-12.');
  });

  test('stops when a person asks it to, and keeps what it has written', async () => {
    await start();
    await say(words(400));
    const { run_id: id } = runOf(await shows(({ text }) => text.includes('word1')));
    await asPerson('POST', `client/agent_runs/${id}/stop`);
    const { text } = await endsWith(language === 'ts' ? 'cancelled' : 'completed');
    expect(text).toContain('word1 ');
    expect(text).not.toContain('word399');
  });

  test('acts once, although it is killed between its question and the decision', async () => {
    await start();
    await say('deploy v2');
    const id = await asked();
    agent.kill();
    await asPerson('POST', `client/approvals/${id}/decide`, { option_id: 'approve' });
    await start();
    await eventually(async () => expect((await written()).at(-1)?.text).toBe('Deployed v2'));
    expect(await written()).toHaveLength(2);
    expect(agent.output.match(/deploying v2/g)).toHaveLength(1);
  });

  test('waits again after a restart, answers others meanwhile, and does nothing without approval', async () => {
    await start();
    await say('deploy v3');
    const id = await asked();
    agent.kill();
    await start();
    await say('And now?');
    await eventually(async () => expect(runOf((await written()).at(-1)).status).toBe('completed'));
    await asPerson('POST', `client/approvals/${await asked()}/decide`, { option_id: 'deny' });
    await eventually(async () => expect((await written()).at(-1)?.text).toBe('Not deployed: denied'));
    expect(await asPerson('GET', `client/approvals/${id}`)).toMatchObject({ approval: { state: 'denied' } });
    expect(agent.output).not.toContain('deploying');
  });

  test('continues its answer in the same message after a kill', async () => {
    await start();
    await say(words(100));
    const before = await shows(({ text }) => text.includes('word5 '));
    agent.kill();
    await start();
    const after = await endsWith('completed');
    expect([after.id, after.text.includes('word99')]).toEqual([before.id, true]);
  });
});

test('the agent in TypeScript has correct types', async () => {
  agent = await PublishedProgram.of('docs/agents.md', 'ts');
  expect(agent.typeProblems()).toBe('');
});
