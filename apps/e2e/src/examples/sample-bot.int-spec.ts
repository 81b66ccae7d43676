import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, EventStreamClient, freePort } from '@tieline/testing';
import type { AppProcess, ChildProgram } from '@tieline/testing';
import { pathOf, startExample } from './start-example.js';
import { shareTieline } from '../share-tieline.js';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Answer, Tieline, Workspace } from '../tieline.js';

const RELEASE = 'Release 1.4.2';

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;
let folder: string;
let settings: Record<string, string>;
let stream: EventStreamClient;
let bot: ChildProgram;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-sample-bot-'));
  ({ tieline, api } = await shareTieline());
});

/** Starts the bot as described in its README; both modes need the same setup. */
beforeEach(async () => {
  workspace = await createWorkspace(api);
  stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, workspace.ownerToken);
  const port = await freePort();
  const asBot = (method: string, to: string, body: object) =>
    expectOk(call(api, method, `/api/v1/${to}`, workspace.botToken, body));
  const clicks = await asBot('PATCH', 'bot/interactive_config', {
    callback_url: `http://127.0.0.1:${port}/clicks`,
  });
  const command = await asBot('POST', `bots/${workspace.botId}/commands`, {
    name: 'release',
    usage_hint: '<version>',
    callback_url: `http://127.0.0.1:${port}/commands`,
  });
  const plan = await asBot('POST', `bots/${workspace.botId}/commands`, {
    name: 'plan',
    callback_url: `http://127.0.0.1:${port}/plans`,
  });
  settings = {
    TIELINE_URL: api.url,
    TIELINE_TOKEN: workspace.botToken,
    TIELINE_PORT: String(port),
    CLICKS_SECRET: clicks.signing_secret,
    COMMAND_SECRET: command.signing_secret,
    PLAN_SECRET: plan.signing_secret,
    TIELINE_CURSOR_FILE: path.join(folder, `cursor-${port}`),
  };
});
afterEach(async () => {
  stream.close();
  await bot?.end();
});
afterAll(async () => {
  await tieline?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(via: 'callback' | 'poll' | 'socket'): Promise<void> {
  bot = await startExample('sample-bot/bot.mjs', { ...settings, TIELINE_VIA: via });
}

const person = (method: string, to: string, body?: object): Promise<Answer> =>
  call(api, method, `/api/v1/${to}`, workspace.ownerToken, body);
const type = async (text: string) =>
  (await person('POST', `client/conversations/${workspace.channels[0]}/commands`, { text })).body;
const submit = async (modalToken: string, values: object) =>
  (await person('POST', `client/modals/${modalToken}/submit`, { values })).body;

interface Shown {
  id: string;
  text: string;
  author_id: string;
  pinned_at?: string;
  reactions: { emoji: string; count: number }[];
  elements: {
    type: string;
    action_id: string;
    signed_token: string;
    initial?: unknown;
    options?: { value: string }[];
    confirm?: object;
  }[];
}

/** Returns the conversation as the person sees it. */
async function history(): Promise<Shown[]> {
  const { messages } = (await person('GET', `channels/${workspace.channels[0]}/messages`)).body as {
    messages: (Shown & { metadata_json?: string })[];
  };
  return messages.map(({ metadata_json: json, ...message }) => ({
    ...message,
    elements: elementsIn(json ?? '{}'),
  }));
}

/** The placeholder of a run has metadata without blocks. */
function elementsIn(json: string): Shown['elements'] {
  const { blocks = [] } = JSON.parse(json) as { blocks?: Partial<Shown>[] };
  return blocks.flatMap(({ elements = [] }) => elements);
}

const actionsOf = ({ elements }: Shown): string[] => elements.map(({ action_id: id }) => id);

/** Waits for a message with this text. @returns the newest one */
const shown = (text: string): Promise<Shown> =>
  eventually(async () => {
    const found = (await history()).findLast((message) => message.text.includes(text));
    if (!found) throw new Error(`no message says ${text}; the bot wrote: ${bot.output}`);
    return found;
  });

async function click(message: Shown, actionId: string, ...selected: string[]) {
  const element = message.elements.find(({ action_id: id }) => id === actionId);
  return (
    await person('POST', `client/messages/${message.id}/interactions`, {
      action_id: actionId,
      signed_token: element?.signed_token,
      ...(element?.type !== 'button' && { selected_values: selected }),
    })
  ).body;
}

/** Waits for the next event of this kind on the person's stream. */
async function streamed(kind: string, position = 0): Promise<Record<string, any>> {
  const ofKind = () => stream.events.filter(({ event }) => event === kind);
  await stream.until(() => ofKind().length > position);
  return ofKind()[position]!;
}

const REASON_FIELD = [{ id: 'reason', type: 'textarea', label: 'Why?', required: true }];

describe('with callbacks', () => {
  beforeEach(() => start('callback'));

  test('a command, a selection, an ephemeral message, and a final click', async () => {
    expect(await type('/release')).toMatchObject({ result: 'ephemeral', text: 'Usage: /release <version>' });
    expect(await type('/release 1.4.2')).toMatchObject({ result: 'ack' });
    const card = await shown(`${RELEASE}: where to?`);
    expect(card.author_id).toBe(workspace.botId);
    expect(actionsOf(card)).toEqual(['stage', 'notes', 'reject']);
    expect(await click(card, 'notes')).toEqual({
      ok: true,
      result: 'ephemeral',
      ephemeral_text: `${RELEASE} mends what the last one broke.`,
    });
    expect(await click(card, 'stage', 'live 1.4.2')).toEqual({
      ok: true,
      result: 'update_message',
      message_id: card.id,
    });
    const asked = await shown(`${RELEASE}: to production?`);
    expect([asked.id, actionsOf(asked)]).toEqual([card.id, ['deploy', 'reject']]);
    expect(asked.elements[0]!.confirm).toMatchObject({ title: 'Deploy?' });
    expect(await click(asked, 'deploy')).toMatchObject({ result: 'update_message' });
    expect(await history()).toMatchObject([
      { id: card.id, text: `${RELEASE} is on its way to production.`, elements: [] },
    ]);
    expect(await streamed('message.edited', 1)).toMatchObject({
      message_id: card.id,
      text: `${RELEASE} is on its way to production.`,
    });
    expect(await streamed('message.new')).toMatchObject({ message_id: card.id });
  });

  test('a modal, followed by a new message with buttons', async () => {
    await type('/release 1.4.2');
    const card = await shown('where to?');
    const { result, modal, modal_token: token } = await click(card, 'reject');
    expect([result, modal]).toEqual([
      'open_modal',
      { title: 'Reject the release', fields: REASON_FIELD, submit_label: 'Send' },
    ]);
    const sent = await submit(token, { reason: 'too early' });
    expect(sent).toEqual({ ok: true, result: 'send_message', message_id: expect.any(String) });
    const next = await shown(`${RELEASE} is rejected: too early`);
    expect([next.id, actionsOf(next)]).toEqual([sent.message_id, ['again', 'drop']]);
    expect(await click(next, 'again')).toMatchObject({ result: 'update_message', message_id: next.id });
    expect(await history()).toMatchObject([
      { id: card.id },
      { id: next.id, text: `${RELEASE} is rejected: too early (it is built again)`, elements: [] },
    ]);
    expect((await person('POST', `client/modals/${token}/submit`, { values: {} })).status).toBe(410);
  });

  test('requests without a signature, or signed with the other secret, are refused', async () => {
    const given = '{"trigger_id":"1","command":"release","text":""}';
    const forged = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${settings.TIELINE_PORT}/anywhere`, { method: 'POST', body: given, headers });
    const signed = (secret: string, at: number) => ({
      'x-service-timestamp': String(at),
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(`v1:${at}:${given}`).digest('hex')}`,
    });
    const now = Math.floor(Date.now() / 1000);
    const statuses = await Promise.all([
      forged({}),
      forged(signed(settings.CLICKS_SECRET!, now)),
      forged(signed(settings.PLAN_SECRET!, now)),
      forged(signed(settings.COMMAND_SECRET!, now - 400)),
      forged(signed(settings.COMMAND_SECRET!, now)),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 200]);
  });
});

describe.each(['callback', 'poll', 'socket'] as const)(
  'a plan that several people fill in, mode %s',
  (mode) => {
    let plan: Shown;

    beforeEach(async () => {
      await expectOk(person('PATCH', 'admin/space', { bots_see_emails: true }));
      await expectOk(person('POST', 'admin/users', { display_name: 'Ann', email: 'ann@example.com' }));
      await start(mode);
      expect(bot.output).toContain('in channel-0');
      expect(await type('/plan version:1.4.2 reviewer:Ann@Example.com')).toMatchObject({ result: 'ack' });
      plan = await shown('Plan of 1.4.2');
    });

    /** Waits for an ephemeral text, in the response to a click or on the stream. */
    const whispered = (text: string): Promise<unknown> =>
      eventually(() =>
        expect(stream.events).toContainEqual(
          expect.objectContaining({ event: 'ephemeral', text: expect.stringContaining(text) }),
        ),
      );
    const told = async (answer: Record<string, any>, text: string): Promise<unknown> =>
      answer.result === 'ephemeral' ? expect(answer.ephemeral_text).toContain(text) : whispered(text);
    const now = async (): Promise<Shown> => (await history()).find(({ id }) => id === plan.id)!;
    const choose = async (name: string, ...values: string[]) =>
      expectOk(
        Promise.resolve({
          status: 200,
          headers: new Headers(),
          body: await click(await now(), `plan-${name}`, ...values),
        }),
      );

    test('starts with a typed command, a late answer, a pin and an ephemeral message', async () => {
      expect(plan).toMatchObject({
        text: 'Plan of 1.4.2 for production, 0 of 3 tasks done',
        author_id: workspace.botId,
      });
      await whispered('Ann will look at it.');
      expect((await now()).pinned_at).toEqual(expect.any(String));
      expect(await type('/plan stage:live')).toMatchObject({ result: 'ephemeral' });
      const typing = { command: 'plan', option: 'version', typed: '1.4' };
      const to = `client/conversations/${workspace.channels[0]}/commands/options`;
      expect((await person('POST', to, typing)).body.choices).toEqual([
        { name: 'Version 1.4.1', value: '1.4.1' },
        { name: 'Version 1.4.2', value: '1.4.2' },
      ]);
    });

    test('every element updates the message, and a finished plan gets a reaction', async () => {
      const { user } = (await person('GET', 'client/me')).body;
      const chosen: [string, ...string[]][] = [
        ['day', '2026-12-01'],
        ['time', '09:30'],
        ['regions', 'us', 'eu'],
        ['risk', 'low'],
        ['owner', user.id],
        ['tasks', 'tests', 'notes', 'backup'],
      ];
      for (const [name, ...values] of chosen) {
        await choose(name, ...values);
        await eventually(async () => {
          const element = (await now()).elements.find(({ action_id: id }) => id === `plan-${name}`);
          expect([element?.initial].flat()).toEqual(values);
        });
      }
      expect((await now()).text).toBe(
        `Plan of 1.4.2 for production, on 2026-12-01 09:30, in America, Europe, by <@${user.id}>, low risk, 3 of 3 tasks done`,
      );
      await eventually(async () => expect((await now()).reactions).toMatchObject([{ emoji: '✅' }]));
      await whispered('release 1.4.2 is yours.');
      await choose('tasks');
      await eventually(async () => expect((await now()).reactions).toEqual([]));
      const day = (await now()).elements.find(({ action_id: id }) => id === 'plan-day')!;
      expect(
        await person('POST', `client/messages/${plan.id}/interactions`, {
          action_id: 'plan-day',
          signed_token: day.signed_token,
          selected_values: ['2026-02-30'],
        }),
      ).toMatchObject({ status: 400, body: { field: 'selected_values' } });
    });

    test('conversations and people are looked up, and the client opens links', async () => {
      await choose('room', workspace.channels[0]!);
      await whispered('It will be announced in #channel-0.');
      await told(await choose('more', 'people'), 'Here: ');
      expect(await choose('handbook')).toEqual({ ok: true, result: 'noop' });
    });

    test('a question is answered in pieces', async () => {
      await person('POST', `client/conversations/${workspace.channels[0]}/messages`, {
        text: 'What is in it?',
      });
      await told(await choose('explain'), 'I am looking into it.');
      const words = 'About 1.4.2: It mends what the last one broke.';
      expect(await shown(words)).toMatchObject({ text: words, author_id: workspace.botId });
    });

    test('a validated form suggests options, refuses values, pushes another form and can be closed', async () => {
      const { user } = (await person('GET', 'client/me')).body;
      const opened = async (answer: Record<string, any>, kind: string): Promise<Record<string, any>> =>
        answer.result === 'queued' ? streamed(kind) : answer;
      const { modal, modal_token: token } = await opened(await choose('edit'), 'modal.open');
      expect(modal).toMatchObject({ title: 'Change the plan of 1.4.2' });
      const typing = await person('POST', `client/modals/${token}/options`, {
        field: 'version',
        typed: '1.5',
      });
      expect(typing.body.choices).toEqual([{ name: 'Version 1.5.0', value: '1.5.0' }]);
      const given = { version: '1.5.0', stage: 'live', day: '2026-12-24', risk: 'high' };
      const refused = await person('POST', `client/modals/${token}/submit`, {
        values: { ...given, day: '1999-01-01' },
      });
      expect(refused).toMatchObject({ status: 400, body: { errors: { day: expect.any(String) } } });
      const unknown = await opened(await submit(token, { ...given, version: '9.9' }), 'modal.errors');
      expect(unknown.errors).toEqual({ version: 'There is no such version.' });
      const asked = await opened(await submit(token, given), 'modal.push');
      expect(asked.modal).toMatchObject({ title: 'Who watches it?' });
      await submit(asked.modal_token, { watcher: user.id });
      const words = `Plan of 1.5.0 for production, on 2026-12-24, by <@${user.id}>, high risk, 0 of 3 tasks done`;
      expect(await shown(words)).toMatchObject({ id: plan.id });
      await expectOk(person('POST', `client/modals/${token}/close`));
      await whispered('The plan stays as it is.');
    });

    test('a withdrawn plan is deleted', async () => {
      await choose('more', 'withdraw');
      await eventually(async () =>
        expect(await now()).toMatchObject({ text: '', deleted_at: expect.any(String) }),
      );
      const pins = await person('GET', `client/conversations/${workspace.channels[0]}/pins`);
      expect(pins.body.pins).toEqual([]);
    });
  },
);

/** Returns the output of the README's terminal client. */
async function terminal(...words: string[]): Promise<string> {
  const env = {
    TIELINE_URL: settings.TIELINE_URL,
    USER_TOKEN: workspace.ownerToken,
    CHANNEL: workspace.channels[0],
  };
  return (await promisify(execFile)(process.execPath, [pathOf('sample-bot/person.mjs'), ...words], { env }))
    .stdout;
}

test('after a broken socket missed events arrive on the next one', async () => {
  await start('socket');
  await type('/plan version:1.4.2');
  const plan = await shown('Plan of 1.4.2');
  await bot.end();
  expect(await click(plan, 'plan-day', '2026-12-01')).toMatchObject({ result: 'queued' });
  await start('socket');
  expect(await shown('on 2026-12-01')).toMatchObject({ id: plan.id });
});

describe('polling', () => {
  beforeEach(() => start('poll'));

  test('the same dialog, with answers on the stream and as messages', async () => {
    expect(await type('/release 1.4.2')).toMatchObject({ result: 'ack' });
    const card = await shown(`${RELEASE}: where to?`);
    expect(await click(card, 'notes')).toEqual({
      ok: true,
      result: 'queued',
      interaction_id: expect.any(String),
    });
    expect(await streamed('ephemeral')).toEqual({
      event: 'ephemeral',
      conversation_id: workspace.channels[0],
      message_id: card.id,
      bot_id: workspace.botId,
      text: `${RELEASE} mends what the last one broke.`,
    });
    expect(await click(card, 'stage', 'test 1.4.2')).toMatchObject({ result: 'queued' });
    expect(await click(await shown(`${RELEASE}: to the test stage?`), 'deploy')).toMatchObject({
      result: 'queued',
    });
    expect(await shown(`${RELEASE} is on its way to the test stage.`)).toMatchObject({
      id: card.id,
      elements: [],
    });
    expect(await history()).toHaveLength(1);
  });

  test('a modal that follows a modal', async () => {
    await type('/release 1.4.2');
    const card = await shown('where to?');
    await click(card, 'reject');
    const first = await streamed('modal.open');
    expect(first).toMatchObject({
      message_id: card.id,
      bot_id: workspace.botId,
      action_id: 'reject',
      modal: { fields: REASON_FIELD },
    });
    expect(await submit(first.modal_token, { reason: 'too early' })).toMatchObject({ result: 'queued' });
    const second = await streamed('modal.open', 1);
    expect(second).toMatchObject({
      action_id: 'reject',
      modal: { title: 'What next?', fields: [{ id: 'again', type: 'checkbox' }] },
    });
    expect(await submit(second.modal_token, { again: true })).toMatchObject({ result: 'queued' });
    expect(await shown(`${RELEASE} is rejected: too early (it is built again)`)).toMatchObject({
      id: card.id,
      elements: [],
    });
  });

  test('a bot that was offline answers missed events once', async () => {
    await type('/release 1.4.2');
    const card = await shown('where to?');
    await eventually(() => expect(readFileSync(settings.TIELINE_CURSOR_FILE!, 'utf8')).toMatch(/^\d+$/));
    await bot.end();
    expect(await click(card, 'stage', 'live 1.4.2')).toMatchObject({ result: 'queued' });
    await start('poll');
    expect(await shown(`${RELEASE}: to production?`)).toMatchObject({ id: card.id });
    expect(bot.output).toMatch(/polling after \d+/);
    rmSync(settings.TIELINE_CURSOR_FILE!);
    await bot.end();
    await start('poll');
    // Reads from the beginning again: the old records are answered already, and the new one behind
    // them is processed.
    await type('/release 1.4.3');
    await shown('Release 1.4.3: where to?');
    expect((await history()).map(({ text }) => text)).toEqual([
      `${RELEASE}: to production?`,
      'Release 1.4.3: where to?',
    ]);
  });

  test('the client in a terminal shows what the bot answers', async () => {
    expect(await terminal('type', '/release 1.4.2')).toMatch(
      /message Release 1\.4\.2: where to\? \[stage\] \[notes\] \[reject\]\n$/,
    );
    expect(await terminal('click', 'notes')).toMatch(
      /answer  .*"queued"[^]*stream  .*"ephemeral".*mends what the last one broke/,
    );
    const [, token] = /"modal_token":"([^"]+)"/.exec(await terminal('click', 'reject')) ?? [];
    expect(await terminal('submit', token!, '{"reason":"too early"}')).toMatch(
      /stream  .*"modal\.open".*"What next\?"/,
    );
    expect(await terminal('click', 'stage', 'live 1.4.2')).toMatch(
      /message Release 1\.4\.2: to production\? \[deploy\] \[reject\]\n$/,
    );
  });
});
