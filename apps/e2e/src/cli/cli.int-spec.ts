import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTieline } from '@tieline/sdk/testing';
import type { Tieline } from '@tieline/sdk/testing';
import { RecordingTerminal } from './recording-terminal.js';
import type { Ended } from './recording-terminal.js';

let tieline: Tieline;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  tieline = await startTieline();
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-cli-'));
  env = { HOME: folder, TIELINE_PROFILES: path.join(folder, 'profiles.json') };
});

afterAll(async () => {
  await tieline?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const terminal = (piped = ''): RecordingTerminal => new RecordingTerminal(env, folder, piped);
const cli = (...argv: string[]): Promise<Ended> => terminal().run(argv);
/** Its result; it has to succeed. */
async function done(...argv: string[]): Promise<any> {
  const ended = await cli('--json', ...argv);
  if (ended.code !== 0) throw new Error(`tieline ${argv.join(' ')}: ${ended.code}\n${ended.err}`);
  return ended.json;
}

describe('signing in', () => {
  it('says that nobody is signed in, and how to', async () => {
    expect(await cli('user', 'list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('tieline login'),
    });
  });

  it('keeps tokens that were piped in, after trying them, where nobody else reads them', async () => {
    const { people, bot } = tieline.world;
    for (const [token, kind, name] of [
      [people.ada!.token, 'person', 'Ada'],
      [bot.token, 'bot', 'Helper'],
      [tieline.operatorToken, 'operator', 'operator'],
    ] as const) {
      const ended = await terminal(`${token}\n`).run(['--json', 'login', '--url', tieline.url]);
      expect(ended).toMatchObject({ code: 0, json: { kind, name, profile: 'default' } });
    }
    expect(statSync(env.TIELINE_PROFILES!).mode & 0o777).toBe(0o600);
    const holders = await done('whoami');
    expect(holders.map(({ kind }: { kind: string }) => kind)).toEqual(['person', 'bot', 'operator']);
  });

  it('keeps nothing of a wrong token', async () => {
    const before = await readFile(env.TIELINE_PROFILES!, 'utf8');
    expect(await terminal('tlu_wrong').run(['login', '--url', tieline.url])).toMatchObject({ code: 3 });
    expect(await readFile(env.TIELINE_PROFILES!, 'utf8')).toBe(before);
  });

  it('has profiles', async () => {
    await terminal(tieline.world.people.ben!.token).run(['login', '--url', tieline.url, '--profile', 'ben']);
    expect((await done('profile', 'list')).map(({ name }: { name: string }) => name)).toEqual([
      'default',
      'ben',
    ]);
    expect((await done('whoami', '--profile', 'ben'))[0].name).toBe('Ben');
    await done('profile', 'use', 'ben');
    expect((await done('whoami'))[0].name).toBe('Ben');
    await done('profile', 'use', 'default');
    await done('logout', '--all', '--profile', 'ben');
    expect(await cli('whoami', '--profile', 'ben')).toMatchObject({ code: 2 });
  });
});

describe('nouns', () => {
  it.each(['space', 'user', 'bot', 'channel', 'hook'])('%s: listed, and shown by name', async (noun) => {
    const entries = await done(noun, 'list');
    expect(entries.length).toBeGreaterThan(0);
    const name = entries[0].name ?? entries[0].display_name;
    expect(await done(noun, 'show', name.toUpperCase())).toMatchObject({ id: entries[0].id });
    expect((await cli(noun, 'list')).out).toContain(name);
    expect(await cli(noun, 'show', 'nobody-knows-it')).toMatchObject({
      code: 4,
      err: expect.stringContaining(name),
    });
  });

  it('makes each of them', async () => {
    expect(await done('space', 'create', 'Other', '--plan', 'free')).toMatchObject({
      plan: 'free',
      owner_token: expect.stringMatching(/^tlu_/),
    });
    expect(await done('user', 'create', 'Cleo', '--email', 'cleo@example.com')).toMatchObject({
      token: expect.stringMatching(/^tlu_/),
    });
    expect((await done('user', 'invite', 'cleo')).url).toMatch(/#invite=/);
    const channel = await done('channel', 'create', 'builds', '--private', '--member', 'ben,Helper');
    expect(channel).toMatchObject({ is_public: false });
    const seen = tieline.client().call('GET', `/api/v1/bot/conversations/${channel.id}`);
    await expect(seen).resolves.toMatchObject({ ok: true });
    const bot = await done(
      'bot',
      'create',
      'Deployer',
      '--events',
      'MESSAGE_CREATED',
      '--channel',
      'general',
      '--save',
    );
    expect(bot).toMatchObject({ event_delivery_mode: 'poll' });
    expect(bot.token).toBeUndefined();
    const command = await done(
      'command',
      'create',
      '/deploy',
      '--bot',
      'deployer',
      '--description',
      'Deploys',
    );
    expect(command).toMatchObject({ name: 'deploy', bot_id: bot.id });
    expect(await done('command', 'show', '/deploy')).toMatchObject({ bot: 'Deployer' });
    expect(await done('hook', 'create', 'CI', '--channel', 'builds', '--save')).toMatchObject({
      require_signature: true,
    });
    const subscription = [
      '--url',
      'http://127.0.0.1:9/',
      '--events',
      'MESSAGE_CREATED',
      '--channel',
      'random',
    ];
    expect(await done('subscription', 'create', 'Orders', ...subscription)).toMatchObject({
      signing_secret: expect.stringMatching(/^whsec_/),
    });
    expect((await done('subscription', 'list'))[0]).toMatchObject({ name: 'Orders' });
  });

  it('tells what Tieline refuses, with its code', async () => {
    const ended = await cli('--json', 'command', 'create', 'poll', '--bot', 'helper');
    expect(ended).toMatchObject({ code: 5 });
    expect(JSON.parse(ended.err)).toMatchObject({ exit_code: 5, error: { code: expect.any(String) } });
  });
});
