import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Bot, verify } from '@tieline/sdk';
import { startTieline } from '@tieline/sdk/testing';
import type { Tieline } from '@tieline/sdk/testing';
import { createTestDatabase, eventually, startReceiver } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import { spawnSync } from 'node:child_process';
import { RecordingTerminal } from './recording-terminal.js';
import type { CommandResult } from './recording-terminal.js';

const ELEMENTS = [
  { type: 'button', action_id: 'order', text: 'Order' },
  { type: 'select', action_id: 'size', options: [{ value: 'large', label: 'Large' }] },
];
const FORM = {
  title: 'Order',
  validate: true,
  fields: [{ id: 'count', type: 'number', label: 'How many', required: true }],
};

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
const cli = (...argv: string[]): Promise<CommandResult> => terminal().run(argv);
/** Runs a command that must succeed. @returns its result */
async function done(...argv: string[]): Promise<any> {
  const ended = await cli('--json', ...argv);
  if (ended.code !== 0) throw new Error(`tieline ${argv.join(' ')}: ${ended.code}\n${ended.err}`);
  return ended.json;
}

const credentials = () => ({ url: tieline.url, token: tieline.world.bot.token });

describe('signing in', () => {
  it('reports that no one is signed in and how to sign in', async () => {
    expect(await cli('user', 'list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('tieline login'),
    });
  });

  it('checks piped tokens and stores them readable only for the user', async () => {
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

  it('does not store an invalid token', async () => {
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

  it('never sends a token to another Tieline server', async () => {
    const { people, bot } = tieline.world;
    const login = (token: string, url: string) =>
      terminal(token).run(['login', '--url', url, '--profile', 'moved']);
    await login(people.ben!.token, tieline.url);
    await login(bot.token, tieline.url);
    expect(await done('whoami', '--profile', 'moved')).toHaveLength(2);
    await login(people.ada!.token, tieline.url.replace('127.0.0.1', 'localhost'));
    const holders = await done('whoami', '--profile', 'moved');
    expect(holders).toMatchObject([{ name: 'Ada', url: expect.stringContaining('localhost') }]);
    await done('logout', '--all', '--profile', 'moved');
  });
});

describe('resource commands', () => {
  it.each(['space', 'user', 'bot', 'channel', 'hook'])('%s can be listed and shown by name', async (noun) => {
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

  it('can create each resource', async () => {
    expect(await done('space', 'create', 'Other', '--plan', 'free')).toMatchObject({
      plan: 'free',
      owner_token: expect.stringMatching(/^tlu_/),
    });
    expect(await done('user', 'create', 'Cleo', '--email', 'cleo@example.com')).toMatchObject({
      token: expect.stringMatching(/^tlu_/),
    });
    expect(await done('user', 'invite', 'cleo')).toEqual({
      url: expect.stringMatching(/#invite=/),
      expires_at: expect.any(String),
    });
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
    const hook = await done('hook', 'create', 'CI', '--channel', 'builds', '--save');
    expect(hook).toMatchObject({ require_signature: true });
    expect(Object.keys(hook).filter((key) => key !== 'has_native_secret')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^url|secret/)]),
    );
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

  it('reports refused requests with their code', async () => {
    const ended = await cli('--json', 'command', 'create', 'poll', '--bot', 'helper');
    expect(ended).toMatchObject({ code: 5 });
    expect(JSON.parse(ended.err)).toMatchObject({ exit_code: 5, error: { code: expect.any(String) } });
  });
});

/** Starts a command that runs until it is stopped. */
function begin(...argv: string[]): {
  terminal: RecordingTerminal;
  ended: Promise<CommandResult>;
  until: (text: string) => Promise<void>;
} {
  const place = terminal();
  const ended = place.run(argv);
  const said = (): string => [...place.written, ...place.errors].join('\n');
  const until = async (text: string): Promise<void> => {
    await eventually(() => {
      if (!said().includes(text)) throw new Error(`never said "${text}" but:\n${said()}`);
    });
  };
  return { terminal: place, ended, until };
}

describe('chat commands', () => {
  let bot: Bot;

  beforeAll(async () => {
    bot = new Bot({ ...credentials(), log: () => undefined });
    bot.command('/order', { description: 'Orders something' }, (ctx) =>
      ctx.reply({ text: `Order ${ctx.text}?`, blocks: [{ type: 'actions', elements: ELEMENTS }] }),
    );
    bot.click('order', (ctx) => ctx.openModal(FORM));
    bot.select('size', (ctx) => ctx.ephemeral(`size ${ctx.value}`));
    bot.submit('order', (ctx) =>
      Number(ctx.values.count) > 3
        ? ctx.errors({ count: 'too many' })
        : ctx.ephemeral(`ordered ${ctx.values.count}`),
    );
    await bot.start({ via: 'socket', signals: false });
  });

  afterAll(() => bot.stop());

  it('sends an argument or piped text as a bot', async () => {
    expect(await done('send', 'general', 'from an argument', '--bot', 'Helper')).toHaveProperty('message_id');
    const ended = await terminal('from a pipe\n').run(['send', 'general', '-', '--bot', 'helper']);
    expect(ended.code).toBe(0);
    const texts = (await tieline.messages()).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['from an argument', 'from a pipe']));
  });

  it('finds messages', async () => {
    await done('say', 'general', 'Crème brûlée for everyone');
    const filters = ['--in', 'general', '--from', 'Ada', '--since', '1h', '--limit', '5'];
    const found = await eventually(async () => {
      const results = await done('search', 'creme', '"for every*"', ...filters);
      return results.length === 1 && results;
    });
    expect(found).toMatchObject([
      { message: { text: 'Crème brûlée for everyone' }, conversation: { name: 'general' } },
    ]);
    expect(await done('search', 'creme', '--until', '1h')).toEqual([]);
    expect(await cli('search', 'creme')).toMatchObject({ code: 0, out: expect.stringContaining('brûlée') });
    expect(await cli('search')).toMatchObject({ code: 5 });
  });

  it('posts, clicks, selects and submits, and shows the results', async () => {
    expect(await done('say', 'general', 'good morning')).toMatchObject({ result: 'sent' });
    expect(await done('say', '#General', '/order pizza')).toMatchObject({
      result: 'message',
      text: 'Order pizza?',
    });
    expect(await done('select', 'size', 'large')).toMatchObject({ result: 'ephemeral', text: 'size large' });
    const clicked = await cli('click', 'order');
    expect(clicked).toMatchObject({
      code: 0,
      out: expect.stringContaining('count  How many (number, required)'),
    });
    expect(await done('submit', 'count:=9')).toMatchObject({
      result: 'errors',
      errors: { count: 'too many' },
    });
    expect(await done('submit', 'count:=2')).toMatchObject({ result: 'ephemeral', text: 'ordered 2' });
    expect(await cli('submit', 'count:=2')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no form is open'),
    });
  });
});

describe('streaming commands', () => {
  it('tails events, deliveries and requests', async () => {
    const events = begin('--json', 'tail', 'events', '--limit', '1', '--only', 'message.edited');
    await events.until('listening');
    await done('trigger', 'MESSAGE_UPDATED', '--channel', 'random', '--text', 'new');
    expect((await events.ended).json).toMatchObject({ event: 'message.edited', text: 'new (edited)' });
    const deliveries = await cli('tail', 'deliveries', 'orders', '--since', '1h', '--limit', '1');
    expect(deliveries.out).toMatch(/Orders +MESSAGE_CREATED/);
    await fetch(tieline.webhookUrl, { method: 'POST', body: '{"text": "unsigned"}' });
    const requests = await done('tail', 'requests', 'alerts', '--since', '1h', '--limit', '1');
    expect(requests).toMatchObject({ hook: 'Alerts', status: 401 });
  });

  it.each([
    ['MESSAGE_CREATED', { text: 'Triggered by tieline' }],
    ['message.updated', { text: 'Triggered by tieline (edited)' }],
    ['MESSAGE_DELETED', { text: '' }],
    ['REACTION_ADDED', { reactions: [expect.objectContaining({ emoji: '👍' })] }],
    ['REACTION_REMOVED', { text: 'Triggered by tieline', reactions: [] }],
    ['CONVERSATION_CREATED', {}],
    ['CONVERSATION_ARCHIVED', {}],
    ['MEMBER_JOINED', {}],
    ['MEMBER_LEFT', {}],
    ['USER_CREATED', {}],
  ])('triggers %s, by really doing it', async (event, newest) => {
    expect(await done('trigger', event, '--channel', 'random')).toMatchObject({ event });
    expect((await tieline.messages('random')).at(-1)).toMatchObject(newest);
  });

  it("forwards a bot's signed command and click, and returns the answers", async () => {
    const secret = (await done('listen', '--print-secret')).secret;
    const seen: string[] = [];
    const receiver = await startReceiver(async ({ headers, body }) => {
      const { ok } = await verify({ secret, headers, body });
      const scheme = String(headers['x-service-signature']).split('=')[0];
      const { ok: isStandard } = await verify({ secret, headers, body, scheme: 'standard_webhooks' });
      seen.push(`${headers['x-service-event']} ${ok} ${scheme}${isStandard ? ' standard' : ''}`);
      const elements = [{ type: 'button', action_id: 'forwarded', text: 'Click' }];
      return headers['x-service-event'] === 'slash_command'
        ? {
            body: {
              response_type: 'in_channel',
              text: 'called',
              metadata_json: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] }),
            },
          }
        : { body: headers['x-service-event'] === 'button.click' ? { ephemeral_text: 'clicked' } : {} };
    });
    const listening = begin('listen', '--forward-to', receiver.url, '--bot', 'Deployer');
    try {
      await listening.until('listening');
      expect(await done('say', 'general', '/deploy web')).toMatchObject({
        result: 'message',
        text: 'called',
      });
      expect(await done('trigger', 'button.click', '--action', 'forwarded')).toMatchObject({
        done: 'clicked: ephemeral',
      });
      await done('say', 'general', 'an event');
      await eventually(() => expect(seen).toContain('MESSAGE_CREATED true v1 standard'));
      // Everything is acknowledged, because pending events would delay later ones of the
      // conversation.
      const created = () =>
        receiver.requests.filter(({ headers }) => headers['x-service-event'] === 'MESSAGE_CREATED');
      await eventually(() => {
        expect(created().map(({ body }) => JSON.parse(body.toString()).data.text)).toContain('an event');
        const { written, errors } = listening.terminal;
        const said = [...written, ...errors].join('').match(/MESSAGE_CREATED/g) ?? [];
        expect(said.length).toBeGreaterThanOrEqual(created().length);
      });
      expect(new Set(seen)).toEqual(
        new Set([
          'slash_command true sha256',
          'button.click true sha256',
          'MESSAGE_CREATED true v1 standard',
        ]),
      );
    } finally {
      listening.terminal.stop.abort();
      expect(await listening.ended).toMatchObject({ code: expect.any(Number) });
      await receiver.close();
    }
  });

  it('leaves a refused event for the next listener and acknowledges unwanted events', async () => {
    const receiver = await startReceiver(500);
    const to = ['--forward-to', receiver.url, '--bot', 'Deployer'];
    // Events of an earlier listener may still be pending.
    const forwarded = (text: string) =>
      receiver.requests.filter(({ body }) => JSON.parse(body.toString()).data?.text === text);
    const first = begin('listen', ...to);
    await first.until('listening');
    await done('say', 'general', 'refused at first');
    await eventually(() => expect(forwarded('refused at first')).not.toEqual([]));
    await first.until('500');
    first.terminal.stop.abort();
    await first.ended;
    const { length: refused } = forwarded('refused at first');
    receiver.respond(200);
    const second = begin('listen', ...to);
    await eventually(() => expect(forwarded('refused at first').length).toBeGreaterThan(refused));
    const again = forwarded('refused at first')[refused];
    expect(Number(again!.headers['x-service-attempt'])).toBeGreaterThan(1);
    await second.until('200');
    second.terminal.stop.abort();
    await second.ended;
    const third = begin('listen', ...to, '--events', 'slash.command');
    await third.until('listening');
    await done('say', 'general', 'not wanted');
    await done('say', 'general', '/deploy web');
    const events = () => receiver.requests.map(({ headers }) => headers['x-service-event']);
    await eventually(() => expect(events()).toContain('slash_command'));
    expect(forwarded('not wanted')).toEqual([]);
    third.terminal.stop.abort();
    await third.ended;
    await receiver.close();
  });

  it("forwards a subscription's deliveries with its own signatures", async () => {
    const receiver = await startReceiver();
    const made = await done(
      'subscription',
      'create',
      'Mirror',
      '--url',
      'http://127.0.0.1:9/',
      '--events',
      'MESSAGE_CREATED',
    );
    const to = ['--forward-to', receiver.url, '--subscription', 'mirror'];
    const listening = begin('listen', ...to, '--events', 'MESSAGE_CREATED');
    const unwanted = begin('listen', ...to, '--events', 'REACTION_ADDED');
    try {
      await Promise.all([listening.until('listening'), unwanted.until('listening')]);
      await done('say', 'general', 'mirrored');
      const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedRequest];
      expect(await verify({ secret: made.signing_secret, headers, body, scheme: 'outgoing' })).toMatchObject({
        ok: true,
      });
      expect(JSON.parse(body.toString()).data.text).toBe('mirrored');
      await done('say', 'general', 'mirrored too');
      const texts = () => receiver.requests.map((one) => JSON.parse(one.body.toString()).data.text);
      await eventually(() => expect(texts()).toContain('mirrored too'));
      expect(texts()).toEqual(['mirrored', 'mirrored too']);
    } finally {
      for (const one of [listening, unwanted]) one.terminal.stop.abort();
      await Promise.all([listening.ended, unwanted.ended]);
      await receiver.close();
    }
  });
});

describe('receivers', () => {
  it('tests a subscription and a hook', async () => {
    const receiver = await startReceiver();
    await done('subscription', 'create', 'Tested', '--url', receiver.url, '--events', 'MESSAGE_UPDATED');
    expect(await done('subscription', 'test', 'tested', '--wait', '60s')).toMatchObject({
      status: 'success',
      result: { status_code: 200 },
    });
    receiver.respond(400);
    expect(await cli('subscription', 'test', 'tested', '--wait', '60s')).toMatchObject({
      code: 7,
      out: expect.stringContaining('400'),
    });
    await receiver.close();
    expect(await done('hook', 'test', 'ci', '--wait')).toMatchObject({ message_id: expect.any(String) });
    expect(await cli('hook', 'test', 'alerts')).toMatchObject({ code: 3 });
  });

  it('redelivers failed deliveries and a time range', async () => {
    const receiver = await startReceiver(400);
    await done(
      'subscription',
      'create',
      'Flaky',
      '--url',
      receiver.url,
      '--events',
      'MESSAGE_CREATED',
      '--channel',
      'random',
    );
    for (const text of ['one', 'two']) await done('say', 'random', text);
    await receiver.waitFor(2);
    const failed = async () =>
      (await tieline.deliveries()).filter(({ to, status }) => to === 'Flaky' && status === 'dead');
    const redeliver = (...more: string[]) =>
      done('redeliver', '--failed', '--since', '1h', '--subscription', 'flaky', ...more);
    await eventually(async () => expect(await failed()).toHaveLength(2));
    expect(await redeliver('--since', '0s')).toEqual([]);
    expect(await done('redeliver', '--failed', '--subscription', 'orders')).toEqual([]);
    expect(await redeliver()).toHaveLength(2);
    await eventually(async () => expect(await failed()).toHaveLength(4));
    receiver.respond(200);
    // The two redelivered ones are not sent a third time; their results are shown.
    expect(await redeliver()).toHaveLength(2);
    await receiver.waitFor(6);
    await eventually(async () => expect(await redeliver()).toEqual([]));
    const recovery = (...more: string[]) => done('recover', 'flaky', '--since', '1h', '--wait', ...more);
    const failures = await recovery();
    const all = await recovery('--all');
    expect([failures.state, all.state, all.done]).toEqual(['done', 'done', all.total]);
    expect(all.total).toBeGreaterThan(failures.total);
    // Without waiting, the command reports what it started.
    expect(await done('recover', 'flaky', '--since', '1h', '--all')).toMatchObject({ state: 'running' });
    await receiver.close();
  });
});

describe('server commands', () => {
  it('doctor reports what is wrong', async () => {
    const findings = await done('doctor');
    expect(findings).toEqual(
      expect.arrayContaining(
        ['address', 'clock', 'database', 'versions', 'person', 'operator', 'bot Helper'].map((check) =>
          expect.objectContaining({ check, state: 'ok' }),
        ),
      ),
    );
    const faulty = {
      ...env,
      TIELINE_URL: 'http://127.0.0.1:9',
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
      SECRET_KEY: 'short',
    };
    const ended = await new RecordingTerminal(faulty, folder).run(['--json', 'doctor', '--local']);
    expect(ended.code).toBe(7);
    const faults = ended.json.filter(({ state }: { state: string }) => state === 'fault');
    expect(faults.map(({ check }: { check: string }) => check)).toEqual([
      'address',
      'database',
      'secret key',
    ]);
    const local = { ...env, DATABASE_URL: tieline.databaseUrl, PORT: new URL(tieline.url).port };
    const healthy = await new RecordingTerminal(local, folder).run(['--json', 'doctor', '--local']);
    expect(healthy.json).toContainEqual(
      expect.objectContaining({ detail: expect.stringContaining('PostgreSQL 1') }),
    );
  });

  it('backs up the database and restores it into an empty one', async () => {
    const place = { ...env, PATH: process.env.PATH ?? '', SECRET_KEY: tieline.secretKey, DATA_DIR: folder };
    const tool = (database: string) => new RecordingTerminal({ ...place, DATABASE_URL: database }, folder);
    const file = path.join(folder, 'all.backup');
    expect(await tool(tieline.databaseUrl).run(['backup', 'all.backup'])).toMatchObject({ code: 0 });
    expect(statSync(file).size).toBeGreaterThan(1000);
    expect(await cli('restore', 'all.backup')).toMatchObject({ code: 2 });
    const empty = await createTestDatabase();
    expect(await tool(empty.url).run(['restore', 'all.backup'])).toMatchObject({ code: 0 });
    const database = new pg.Client({ connectionString: empty.url });
    await database.connect();
    const { rows } = await database.query('SELECT name FROM spaces ORDER BY name');
    expect(rows).toEqual([{ name: 'Acme' }, { name: 'Other' }]);
    await database.end();
    await empty.drop();
  });

  it('exports messages as JSON lines', async () => {
    const lines = (await cli('export', '--channel', 'general')).out
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ channel: 'general', text: 'good morning' }));
    expect(new Set(lines.map(({ channel }) => channel))).toEqual(new Set(['general']));
    expect(await done('export', '--out', 'messages.jsonl')).toMatchObject({ messages: expect.any(Number) });
  });

  it('gives an owner a new token', async () => {
    const { token: known } = await done('owner', 'reset', 'other');
    expect(known).toMatch(/^tlu_/);
    const place = new RecordingTerminal({ ...env, DATABASE_URL: tieline.databaseUrl }, folder);
    const { json } = await place.run(['--json', 'owner', 'reset', 'acme']);
    expect(json).toMatchObject({
      user_id: tieline.world.people.owner!.id,
      token: expect.stringMatching(/^tlu_/),
    });
    expect(await cli('owner', 'reset', 'acme')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--user'),
    });
  });
});

describe('the program itself', () => {
  const bin = path.join(import.meta.dirname, '../../../cli/bin/tieline.mjs');
  const spawned = (input: string, ...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], {
      input,
      encoding: 'utf8',
      env: { ...env, PATH: process.env.PATH },
    });

  it('runs with a token from a pipe', () => {
    const args = ['--json', 'login', '--url', tieline.url, '--profile', 'piped'];
    expect(JSON.parse(spawned(tieline.world.people.ben!.token, ...args).stdout)).toMatchObject({
      name: 'Ben',
    });
    const { status, stderr } = spawned('', 'bot', 'show', 'nobody');
    expect([status, stderr]).toEqual([4, expect.stringContaining('there is no bot "nobody"')]);
  });

  it('completes words and names', async () => {
    expect((await cli('hook', 'list')).out).toMatch(/Alerts +yes +yes +general/);
    // After half a second without an answer, the next request comes 15 seconds later.
    await eventually(() => {
      rmSync(path.join(folder, '.cache'), { recursive: true, force: true });
      expect(spawned('', '__complete', '--', 'bot', 'show', 'hel').stdout).toBe('Helper\tbot\n');
    });
    expect(spawned('', '__complete', '--', 'subs').stdout).toBe(
      'subscription\toutgoing webhooks: receivers of events\n',
    );
  });
});
