import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, EventStreamClient, freePort } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, expectOk, makeWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { ChildBot } from './child-bot.js';
import { StandingAddress } from './standing-address.js';

type Via = 'poll' | 'socket' | 'push' | 'callback';
type Fields = Record<string, any>;

const FORTY_LINES = 'examples/forty-lines/bot.mjs';
const COUNTING = 'apps/e2e/src/sdk/counting-bot.mjs';

let tieline: Tieline;
let address: StandingAddress;
let api: AppProcess;
let folder: string;
let workspace: Workspace;
let stream: EventStreamClient;
let bot: ChildBot;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-bots-'));
  tieline = await Tieline.create({
    RATE_POLL_PER_SECOND: '1000',
    SOCKET_ACK_SECONDS: '2',
    DELIVERY_BACKOFF_INITIAL_MS: '200',
    DELIVERY_BACKOFF_MAX_MS: '1000',
  });
  address = await StandingAddress.open();
  [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  address.target = new URL(api.url);
});
beforeEach(async () => {
  workspace = await makeWorkspace(address, { channels: 2 });
  stream = await EventStreamClient.open(`${address.url}/api/v1/client/stream`, workspace.ownerToken);
});
afterEach(async () => {
  stream.close();
  await bot?.end('SIGKILL');
});
afterAll(async () => {
  await tieline?.close();
  await address?.close();
  rmSync(folder, { recursive: true, force: true });
});

const asPerson = (method: string, to: string, body?: object): Promise<Fields> =>
  expectOk(call(address, method, `/api/v1/${to}`, workspace.ownerToken, body));
const asBot = (method: string, to: string, body?: object): Promise<Fields> =>
  expectOk(call(address, method, `/api/v1/${to}`, workspace.botToken, body));
const type = (text: string): Promise<Fields> =>
  asPerson('POST', `client/conversations/${workspace.channels[0]}/commands`, { text });
const say = (text: string, channel = workspace.channels[0]): Promise<Fields> =>
  asPerson('POST', `client/conversations/${channel}/messages`, { text });

/** What the README of the bots says an admin and the bot's author do once. @returns the bot's settings */
async function settings(via: Via, commands: object[]): Promise<Record<string, string>> {
  const env = {
    TIELINE_URL: address.url,
    TIELINE_TOKEN: workspace.botToken,
    TIELINE_VIA: via,
    TIELINE_CURSOR_FILE: path.join(folder, workspace.botId),
  };
  const admin = { event_types: ['MESSAGE_CREATED'] };
  if (via === 'poll' || via === 'socket') {
    await asPerson('PATCH', `admin/bots/${workspace.botId}`, admin);
    return env;
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/tieline`;
  await asPerson('PATCH', `admin/bots/${workspace.botId}`, { ...admin, webhook_url: url });
  const answers = [
    await asBot('PATCH', 'bot/interactive_config', { callback_url: url }),
    await asBot('POST', 'bot/webhook/rotate_secret'),
  ];
  for (const command of commands)
    answers.push(await asBot('POST', `bots/${workspace.botId}/commands`, { ...command, callback_url: url }));
  const secrets = answers.map(({ signing_secret: secret }) => secret as string);
  return { ...env, TIELINE_PORT: String(port), TIELINE_SECRETS: secrets.join(',') };
}

/** What the bot has written, conversation by conversation, oldest first. */
async function written(): Promise<Record<string, string[]>> {
  const { rows } = await tieline.sql.query<{ conversation: string; text: string }>(
    `SELECT conversation_id AS conversation, text FROM messages WHERE author_id = $1 ORDER BY conversation_id, msg_index`,
    [workspace.botId],
  );
  return Object.fromEntries(
    workspace.channels.map((id) => [
      id,
      rows.filter(({ conversation }) => conversation === id).map(({ text }) => text),
    ]),
  );
}

const shown = (text: string): Promise<Fields> =>
  eventually(async () => {
    const { messages } = await asPerson('GET', `channels/${workspace.channels[0]}/messages`);
    const found = (messages as Fields[]).filter((message) => message.text === text);
    if (found.length === 0) throw new Error(`nobody said ${text}; the bot wrote: ${bot.output}`);
    return found[0]!;
  });

/** The next event of this kind on the person's stream. */
async function streamed(kind: string): Promise<Fields> {
  const ofKind = (): Fields[] => stream.events.filter(({ event }) => event === kind);
  await stream.until(() => ofKind().length > 0);
  return ofKind()[0]!;
}

async function click(message: Fields, actionId: string): Promise<Fields> {
  const { blocks } = JSON.parse(message.metadata_json as string) as { blocks: { elements: Fields[] }[] };
  const element = blocks.flatMap(({ elements }) => elements).find(({ action_id: id }) => id === actionId)!;
  return asPerson('POST', `client/messages/${message.id}/interactions`, {
    action_id: actionId,
    signed_token: element.signed_token,
  });
}

const VERSION = { name: 'version', type: 'string', required: true, autocomplete: true };

describe.each<Via>(['poll', 'socket', 'push', 'callback'])('forty lines by %s', (via) => {
  const opened = async (answer: Fields, kind: string): Promise<Fields> =>
    answer.result === 'queued' ? streamed(kind) : answer;

  test('a command, suggestions, buttons, a form that finds fault, and a late answer', async () => {
    bot = await ChildBot.start(FORTY_LINES, await settings(via, [{ name: 'deploy', options: [VERSION] }]));
    const typing = { command: 'deploy', option: 'version', typed: '1.4' };
    const to = `client/conversations/${workspace.channels[0]}/commands/options`;
    expect((await asPerson('POST', to, typing)).choices).toEqual([
      { name: '1.4.1', value: '1.4.1' },
      { name: '1.4.2', value: '1.4.2' },
    ]);
    const { result } = await type('/deploy version:1.4.2');
    expect(result).toBe(via === 'poll' ? 'ack' : 'in_channel');
    const card = await shown('Deploy 1.4.2?');
    const { modal_token: token } = await opened(await click(card, 'deploy'), 'modal.open');
    const submit = (ticket: string): Promise<Fields> =>
      asPerson('POST', `client/modals/${token}/submit`, { values: { ticket } });
    const fault = await opened(await submit('soon'), 'modal.errors');
    expect(fault.errors).toEqual({ ticket: 'Looks like OPS-4711' });
    await submit('OPS-7');
    expect(await shown('Deploying 1.4.2 …')).toMatchObject({ id: card.id });
    expect(await shown('Deployed 1.4.2 for OPS-7')).toMatchObject({ id: card.id });
    expect(Object.values(await written()).flat()).toEqual(['Deployed 1.4.2 for OPS-7']);
  });
});

const TALLY = [{ name: 'tally' }, { name: 'slow' }];

describe.each<Via>(['poll', 'socket', 'push'])('what is killed, by %s', (via) => {
  test('the bot and the api: each message is answered, none twice', async () => {
    const env = await settings(via, TALLY);
    bot = await ChildBot.start(COUNTING, env);
    const sent: Record<string, string[]> = Object.fromEntries(workspace.channels.map((id) => [id, []]));
    const count = async (numbers: number[]): Promise<void> => {
      for (const number of numbers) {
        const channel = workspace.channels[number % 2]!;
        await say(`count ${number}`, channel);
        sent[channel]!.push(`seen ${number}`);
      }
    };
    const answered = async (): Promise<number> => Object.values(await written()).flat().length;
    // Ten pushes in a row that reach nobody would open the breaker for half a minute.
    await count(range(0, via === 'push' ? 6 : 20));
    await eventually(async () => expect(await answered()).toBeGreaterThan(2));
    await bot.end('SIGKILL');
    await count(range(20, 22));
    bot = await ChildBot.start(COUNTING, env);
    await count(range(22, 30));
    await eventually(async () => expect(await answered()).toBeGreaterThan(8));
    await api.kill('SIGKILL');
    api = await tieline.start('api');
    address.target = new URL(api.url);
    await count(range(30, 36));
    const all = Object.values(sent).flat().length;
    await eventually(async () => expect(await answered()).toBeGreaterThanOrEqual(all), { timeoutMs: 60_000 });
    // A second answer would have come by the time of one to a later question.
    await count([50]);
    await shown('seen 50');
    const sorted = (all: Record<string, string[]>): unknown =>
      Object.entries(all).map(([id, texts]) => [id, via === 'push' ? texts.toSorted() : texts]);
    expect(sorted(await written())).toEqual(sorted(sent));
  });

  test('an event that nobody can handle is given up, and those behind it are handled', async () => {
    bot = await ChildBot.start(COUNTING, await settings(via, TALLY));
    await say('poison');
    await say('count 1');
    await shown('seen 1');
    await eventually(() => expect(bot.output).toContain('given up: poison (I choke on this)'));
    expect(bot.output).toMatch(/dropped MESSAGE_CREATED [0-9a-f-]{36}: I choke on this/);
  });

  test('a bot that is told to stop ends what it has begun', async () => {
    const env = await settings(via, TALLY);
    bot = await ChildBot.start(COUNTING, env);
    await say('take your time');
    await eventually(() => expect(bot.output).toContain('begun'));
    await say('count 1');
    expect(await bot.end('SIGTERM')).toBe(0);
    expect(Object.values(await written()).flat()).toEqual(['taken']);
    bot = await ChildBot.start(COUNTING, env);
    await shown('seen 1');
    expect(bot.output).not.toContain('begun');
    expect(Object.values(await written()).flat()).toEqual(['taken', 'seen 1']);
  });
});

describe('somebody waits', () => {
  test.each<Via>(['poll', 'socket'])(
    '%s: what was asked while the bot was away is answered when it is back',
    async (via) => {
      const env = await settings(via, TALLY);
      bot = await ChildBot.start(COUNTING, env);
      await type('/tally 1');
      await shown('tallied 1');
      await bot.end('SIGKILL');
      expect(await type('/tally 2')).toMatchObject({ result: 'ack' });
      bot = await ChildBot.start(COUNTING, env);
      await shown('tallied 2');
      expect(Object.values(await written()).flat()).toEqual(['tallied 1', 'tallied 2']);
    },
  );

  test('callback: a bot that is away fails the command at once, and it can be given again', async () => {
    const env = await settings('callback', TALLY);
    expect(await type('/tally 1')).toMatchObject({ result: 'ephemeral' });
    bot = await ChildBot.start(COUNTING, env);
    expect(await type('/tally 1')).toMatchObject({ result: 'in_channel', text: 'tallied 1' });
    expect(Object.values(await written()).flat()).toEqual(['tallied 1']);
  });

  test.each<Via>(['callback', 'socket'])(
    '%s: a handler that takes longer than people wait answers late',
    async (via) => {
      bot = await ChildBot.start(COUNTING, await settings(via, TALLY));
      expect(await type('/slow')).toMatchObject({ result: 'ack' });
      const { id } = await shown('slow but sure');
      await eventually(() => expect(bot.output).toContain(`posted ${id}`));
      expect(Object.values(await written()).flat()).toEqual(['slow but sure']);
    },
  );
});

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);
