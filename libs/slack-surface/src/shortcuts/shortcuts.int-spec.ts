import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import { InteractiveModule } from '@tieline/interactive';
import { AnswerTimeouts, LONG_MS, SuppliedClicks } from '@tieline/interactive/testing';
import { ClientStreamModule, LiveFanoutModule } from '@tieline/live-stream';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

type Json = Record<string, any>;

let api: TestApi;
let fixture: BotsFixture;
let person: SeededPerson;
let receiver: Receiver;
let bot: { id: string; token: string };
let ids: Record<'global' | 'message', string>;

beforeAll(async () => {
  const env = {
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    CALLBACK_TIMEOUT_MS: String(LONG_MS),
  };
  const modules = [SuppliedClicks.of(), InteractiveModule, AppsModule, SlackSurfaceModule];
  api = await startBotsApi(env, [...modules, ClientStreamModule, ...BOTS_WORKER, LiveFanoutModule]);
  new AnswerTimeouts(api);
  fixture = await BotsFixture.of(api);
  person = await fixture.space.person('member', 'Ann Lee');
  receiver = await startReceiver();
});
beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.respond(200);
  const { body } = await fixture.admin('POST', '/bots', {
    ...{ display_name: 'App', event_format: 'slack', event_delivery_mode: 'none' },
  });
  bot = { id: body.bot.id, token: body.token };
  await own('PATCH', 'interactive_config', { callback_url: `${receiver.url}/slack` });
  const { shortcuts } = await own('PUT', 'shortcuts', {
    shortcuts: [
      { callback_id: 'file', name: 'File ticket', type: 'message' },
      { callback_id: 'new', name: 'New ticket', description: 'Opens a form', type: 'global' },
    ],
  });
  ids = { message: shortcuts[0].id, global: shortcuts[1].id };
});
afterAll(async () => {
  await receiver?.close();
  await api?.close();
});

async function own(method: string, path: string, body: object): Promise<Json> {
  const answer = await api.call(method, `/api/v1/bot/${path}`, { token: bot.token, body });
  expect(answer.body).toMatchObject({ ok: true });
  return answer.body;
}
const client = (method: string, path: string, body?: object, token = person.token): Promise<TestAnswer> =>
  api.call(method, `/api/v1/client/${path}`, { token, ...(body && { body }) });
const use = (id: string, body: object = {}): Promise<TestAnswer> => client('POST', `shortcuts/${id}`, body);
const outcome = ({ status, body }: TestAnswer): unknown => (status === 200 ? body : [status, body.code]);
const payload = (): Json =>
  JSON.parse(new URLSearchParams(receiver.requests.at(-1)!.body.toString()).get('payload')!) as Json;

/** Creates a channel of the person with one message. */
async function place(isPublic: boolean): Promise<{ channel: string; message: string }> {
  const body = { name: `c-${bot.id}`, is_public: isPublic };
  const made = await client('POST', 'conversations', body);
  const id = made.body.conversation.id as string;
  const posted = await client('POST', `conversations/${id}/messages`, { text: 'It is down' });
  return { channel: id, message: posted.body.message_id as string };
}

test('people see the shortcuts of active bots', async () => {
  const listed = async (): Promise<Json[]> =>
    ((await client('GET', 'shortcuts')).body.shortcuts as Json[]).filter((one) => one['bot_id'] === bot.id);
  const of = { bot_id: bot.id, bot_name: 'App' };
  expect(await listed()).toEqual([
    { id: ids.message, ...of, name: 'File ticket', description: '', type: 'message' },
    { id: ids.global, ...of, name: 'New ticket', description: 'Opens a form', type: 'global' },
  ]);
  await fixture.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
  expect(await listed()).toEqual([]);
  expect(outcome(await use(ids.global))).toEqual([404, 'shortcut_not_found']);
});

test('a global shortcut sends `shortcut`, whose trigger id opens a view', async () => {
  expect(outcome(await use(ids.global))).toEqual({ ok: true });
  const sent = payload();
  expect(sent).toMatchObject({
    ...{ type: 'shortcut', callback_id: 'new', trigger_id: expect.any(String) },
    action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
    user: { id: slackId('user', person.id) },
  });
  for (const absent of ['channel', 'message', 'response_url']) expect(sent).not.toHaveProperty(absent);
  const text = { type: 'plain_text', text: 'New ticket' };
  const view = { type: 'modal', title: text, blocks: [{ type: 'section', text }] };
  const body = { trigger_id: sent['trigger_id'], view };
  const opened = await api.call('POST', '/slack/api/views.open', { token: bot.token, body });
  expect(opened.body).toMatchObject({ ok: true, view: { title: text } });
});

test('a message shortcut sends `message_action` with the message of another author', async () => {
  const { channel, message } = await place(true);
  expect(outcome(await use(ids.message, { message_id: message }))).toEqual({ ok: true });
  const sent = payload();
  const id = slackId('publicChannel', channel);
  expect(sent).toMatchObject({
    ...{ type: 'message_action', callback_id: 'file', trigger_id: expect.any(String) },
    channel: { id },
    message: { type: 'message', user: slackId('user', person.id), text: 'It is down' },
    response_url: expect.stringContaining('/slack/responses/T'),
  });
  expect(sent['message_ts']).toBe(sent['message'].ts);
  const respond = (body: object): Promise<TestAnswer> =>
    api.call('POST', new URL(sent['response_url']).pathname, { body });
  expect((await respond({ delete_original: true })).status).not.toBe(200);
  expect((await respond({ replace_original: true, text: 'changed' })).status).not.toBe(200);
  expect((await respond({ text: 'only you' })).status).toBe(200);
  expect((await client('GET', `messages/${message}`)).body.message.text).toBe('It is down');
});

test('a bot gets no message that it may not read', async () => {
  const { channel, message } = await place(false);
  expect(outcome(await use(ids.message, { message_id: message }))).toEqual([403, 'shortcut_bot_cannot_read']);
  expect(receiver.requests).toEqual([]);
  await client('POST', `conversations/${channel}/members`, { member_id: bot.id });
  expect(outcome(await use(ids.message, { message_id: message }))).toEqual({ ok: true });
});

test('nobody sends a message that they may not read', async () => {
  const { message } = await place(false);
  const other = await fixture.space.person('member', 'Bob');
  const body = { message_id: message };
  expect((await client('POST', `shortcuts/${ids.message}`, body, other.token)).status).toBe(403);
  const stranger = await BotsFixture.of(api);
  const { token } = stranger.space.owner;
  expect((await client('POST', `shortcuts/${ids.message}`, body, token)).status).toBe(404);
  expect((await client('GET', 'shortcuts', undefined, token)).body.shortcuts).toEqual([]);
  expect(outcome(await use(ids.message, { message_id: bot.id }))).toEqual([404, 'message_not_found']);
  await client('DELETE', `messages/${message}`);
  expect(outcome(await use(ids.message, body))).toEqual([410, 'message_deleted']);
  expect(receiver.requests).toEqual([]);
});

test.each([
  ['a global shortcut with a message', 'global', true],
  ['a message shortcut without one', 'message', false],
] as const)('%s is refused', async (_name, type, withMessage) => {
  const body = withMessage ? { message_id: (await place(true)).message } : {};
  const { status, body: answer } = await use(ids[type], body);
  expect([status, answer.field]).toEqual([400, 'message_id']);
  expect(receiver.requests).toEqual([]);
});

test('a shortcut is used up to 30 times a minute, and an app that fails causes an error', async () => {
  receiver.respond(500);
  expect((await use(ids.global)).status).toBe(503);
  receiver.respond(200);
  for (let n = 1; n < 30; n++) await use(ids.global);
  expect((await use(ids.global)).status).toBe(429);
});
