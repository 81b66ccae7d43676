import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { InteractiveModule } from '@tieline/interactive';
import { AnswerTimeouts, LONG_MS, SuppliedClicks } from '@tieline/interactive/testing';
import { ClientStreamModule, LiveFanoutModule } from '@tieline/live-stream';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, EventStreamClient, startReceiver } from '@tieline/testing';
import { SlackSurfaceModule } from '../slack-surface.module.js';

type Json = Record<string, any>;

let api: TestApi;
let fixture: BotsFixture;
let person: SeededPerson;

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
});
afterAll(() => api?.close());

/** Creates a bot with a shortcut of each type. */
async function seed(settings: object): Promise<{ bot: SeededBot; global: string; message: string }> {
  const bot = await fixture.bot({ event_types: [], ...settings });
  const shortcuts = [
    { callback_id: 'file', name: 'File ticket', type: 'message' },
    { callback_id: 'new', name: 'New ticket', type: 'global' },
  ];
  const { body } = await call(bot.token, 'PUT', 'bot/shortcuts', { shortcuts });
  return { bot, message: body.shortcuts[0].id, global: body.shortcuts[1].id };
}

const call = (token: string, method: string, path: string, body?: object): Promise<TestAnswer> =>
  api.call(method, `/api/v1/${path}`, { token, ...(body && { body }) });
const client = (method: string, path: string, body?: object): Promise<TestAnswer> =>
  call(person.token, method, `client/${path}`, body);
const use = (id: string, body: object = {}): Promise<TestAnswer> => client('POST', `shortcuts/${id}`, body);

/** Returns the payloads of this type in the queue of the bot, once there is one. */
async function polled({ token }: SeededBot, type: string): Promise<Json> {
  let found: Json | undefined;
  await eventually(async () => {
    const { body } = await call(token, 'GET', 'bot/events?wait=1');
    found = body.events.find((event: Json) => event['event_type'] === type);
    expect(found).toBeDefined();
  });
  return JSON.parse(found!['payload_json']) as Json;
}

test('a global shortcut is queued, and its trigger opens a modal that people submit', async () => {
  const { bot, global } = await seed({ event_delivery_mode: 'poll' });
  expect((await use(global)).body).toEqual({ ok: true });
  const used = await polled(bot, 'shortcut.used');
  const { body } = await call(bot.token, 'POST', 'bot/dm', { user_id: person.id });
  expect(used).toEqual({
    ...{ event_type: 'shortcut.used', callback_id: 'new', shortcut_type: 'global' },
    ...{ space_id: fixture.space.spaceId, actor_user_id: person.id },
    ...{ conversation_id: body.conversation_id, trigger_id: expect.stringMatching(/^tlt_/) },
    occurred_at: expect.stringMatching(/\.\d{9}Z$/),
    ...{ response_token: expect.stringMatching(/^tlr_/), response_url: expect.any(String) },
  });
  const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, person.token);
  const modal = { title: 'New ticket', fields: [{ id: 'what', type: 'text', label: 'What' }] };
  const open = (): Promise<TestAnswer> =>
    call(bot.token, 'POST', 'bot/modals', { trigger_id: used['trigger_id'], modal });
  expect((await open()).status).toBe(200);
  expect((await open()).body).toMatchObject({ code: 'trigger_used' });
  await stream.until(() => stream.events.some(({ event }) => event === 'modal.open'));
  const opened = stream.events.find(({ event }) => event === 'modal.open') as Json;
  stream.close();
  expect(opened).toMatchObject({ conversation_id: body.conversation_id, bot_id: bot.id, action_id: 'new' });
  const values = { what: 'It is down' };
  expect((await client('POST', `modals/${opened['modal_token']}/submit`, { values })).status).toBe(200);
  const submitted = await polled(bot, 'modal.submit');
  expect(submitted).toMatchObject({ action_id: 'new', conversation_id: body.conversation_id, values });
  expect(submitted).not.toHaveProperty('message_id');
  const respond = `bot/interactions/${submitted['interaction_id']}/respond`;
  expect((await call(bot.token, 'POST', respond, { send_message: { text: 'Filed' } })).status).toBe(200);
});

test('a shortcut with a long name opens modals, too', async () => {
  const { bot } = await seed({ event_delivery_mode: 'poll' });
  const shortcuts = [{ callback_id: '🎟'.repeat(127), name: 'New', type: 'global' }];
  const { body } = await call(bot.token, 'PUT', 'bot/shortcuts', { shortcuts });
  await use(body.shortcuts[0].id);
  const { trigger_id, callback_id } = await polled(bot, 'shortcut.used');
  expect(callback_id).toBe(shortcuts[0]!.callback_id);
  const open = { trigger_id, modal: { title: 'New', fields: [] } };
  expect((await call(bot.token, 'POST', 'bot/modals', open)).status).toBe(200);
});

test('a message shortcut is pushed with the message, and can be answered late', async () => {
  const receiver = await startReceiver();
  const { bot, message } = await seed({
    event_delivery_mode: 'webhook',
    webhook_url: `${receiver.url}/events`,
  });
  const made = await client('POST', 'conversations', { name: 'ops', is_public: true });
  const channel = made.body.conversation.id as string;
  const posted = await client('POST', `conversations/${channel}/messages`, { text: 'It is down' });
  const { message_id: messageId } = posted.body;
  expect((await use(message, { message_id: messageId })).body).toEqual({ ok: true });
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const pushed = JSON.parse(receiver.requests[0]!.body.toString()) as Json;
  await receiver.close();
  expect(pushed).toMatchObject({
    ...{ event_type: 'shortcut.used', conversation_id: channel, actor_user_id: person.id },
    data: { callback_id: 'file', shortcut_type: 'message', message_id: messageId, conversation_id: channel },
  });
  expect(receiver.requests[0]!.headers['x-service-signature']).toBeDefined();
  const responses = `bot/responses/${pushed['data'].response_token}`;
  const changed = await call(bot.token, 'POST', responses, { update_message: { text: 'changed' } });
  expect(changed.status).toBe(400);
  expect((await call(bot.token, 'POST', responses, { ephemeral_text: 'Filed' })).status).toBe(200);
  const modal = { title: 'File', fields: [] };
  const open = { trigger_id: pushed['data'].trigger_id, modal };
  expect((await call(bot.token, 'POST', 'bot/modals', open)).status).toBe(200);
});

test('a bot that receives no events, or may not read the message, gets nothing', async () => {
  const { global } = await seed({ event_delivery_mode: 'none' });
  expect((await use(global)).body).toMatchObject({ code: 'bot_did_not_answer' });
  const { bot, message } = await seed({ event_delivery_mode: 'poll' });
  const made = await client('POST', 'conversations', { name: 'secret', is_public: false });
  const path = `conversations/${made.body.conversation.id}/messages`;
  const { message_id } = (await client('POST', path, { text: 'x' })).body;
  expect((await use(message, { message_id })).body).toMatchObject({ code: 'shortcut_bot_cannot_read' });
  expect((await use(message)).body).toMatchObject({ field: 'message_id' });
  expect((await call(bot.token, 'GET', 'bot/events')).body.events).toEqual([]);
});
