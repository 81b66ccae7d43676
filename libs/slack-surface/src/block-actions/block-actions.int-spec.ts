import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import { InteractiveModule } from '@tieline/interactive';
import { AnswerTimeouts, LONG_MS, SuppliedClicks } from '@tieline/interactive/testing';
import { ClientStreamModule, LiveFanoutModule } from '@tieline/live-stream';
import type { SeededPerson, TestApi, TestAnswer } from '@tieline/spaces/testing';
import { EventStreamClient, readRows, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';
import { sentAtOf } from '../ts/ts.js';

type Json = Record<string, any>;

let api: TestApi;
let fixture: BotsFixture;
let person: SeededPerson;
let receiver: Receiver;
let bot: { id: string; token: string };
let channelUuid: string;
let channel: string;

beforeAll(async () => {
  const env = {
    ...{
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
      CALLBACK_TIMEOUT_MS: String(LONG_MS),
    },
    ...{ RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' },
  };
  const modules = [
    SuppliedClicks.of(),
    InteractiveModule,
    AppsModule,
    SlackSurfaceModule,
    ClientStreamModule,
  ];
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
  await api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: `${receiver.url}/slack` },
  });
  channelUuid = await fixture.channelOf(bot as never);
  channel = slackId('publicChannel', channelUuid);
  await join(person.id, 'user');
});
afterAll(async () => {
  await receiver?.close();
  await api?.close();
});

const join = (id: string, type: string) =>
  api.db.query(
    'INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, $4)',
    [fixture.space.spaceId, channelUuid, id, type],
  );
const leave = (id: string) =>
  api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
    channelUuid,
    id,
  ]);

const slack = async (method: string, args: object): Promise<Json> => {
  const { body } = await api.call('POST', `/slack/api/${method}`, { token: bot.token, body: args });
  expect(body).toMatchObject({ ok: true });
  return body;
};
const plain = (text: string): object => ({ type: 'plain_text', text });
const option = (value: string): object => ({ text: plain(value), value });
const BUTTON = { type: 'button', action_id: 'go', text: plain('Go'), value: 'v1' };
const SELECT = { type: 'static_select', action_id: 'target', options: [option('live'), option('test')] };
const EXTERNAL = { type: 'external_select', action_id: 'version' };
const FEEDBACK = {
  type: 'feedback_buttons',
  action_id: 'f',
  positive_button: { text: plain('Good'), value: 'good' },
  negative_button: { text: plain('Bad'), value: 'bad' },
};
const PEOPLE = { type: 'users_select', action_id: 'who' };
const blocksOf = (...elements: object[]): object[] => [{ type: 'actions', block_id: 'b', elements }];

/** Posts a message. @returns its id and `ts` */
async function post(blocks: object[], args: object = {}): Promise<{ id: string; ts: string }> {
  const { ts } = await slack('chat.postMessage', { channel, text: 'fallback', blocks, ...args });
  const [row] = await readRows<{ id: string }>(api.db, 'SELECT id FROM messages WHERE sent_at = $1', [
    sentAtOf(ts),
  ]);
  return { id: row!.id, ts };
}

const act = (id: string, body: object, token = person.token): Promise<TestAnswer> =>
  api.call('POST', `/api/v1/client/messages/${id}/block_actions`, {
    token,
    body: { block_id: 'b', ...body },
  });
const press = (id: string, body: object = {}, token?: string): Promise<TestAnswer> =>
  act(id, { action_id: 'go', ...body }, token);
const outcome = ({ status, body }: TestAnswer): unknown => (status === 200 ? body : [status, body.code]);
const payload = (): Json =>
  JSON.parse(new URLSearchParams(receiver.requests.at(-1)!.body.toString()).get('payload')!) as Json;
const shownTo = async (id: string, token = person.token): Promise<Json> =>
  (await api.call('GET', `/api/v1/client/messages/${id}`, { token })).body.message;

/** Answers at the `response_url` of the last interaction. */
const respond = (body: object): Promise<TestAnswer> =>
  api.call('POST', new URL(payload()['response_url']).pathname, { body });

test('people see the blocks with their ids, bots do not', async () => {
  const { id } = await post([
    { type: 'section', text: plain('x'), accessory: { ...BUTTON, action_id: undefined } },
  ]);
  const { app_blocks: blocks } = await shownTo(id);
  expect(blocks).toMatchObject([
    { type: 'section', block_id: expect.any(String), accessory: { action_id: expect.any(String) } },
  ]);
  const history = await api.call('GET', `/api/v1/channels/${channelUuid}/messages`, { token: person.token });
  expect(history.body.messages.at(-1).app_blocks).toEqual(blocks);
  const own = await api.call('GET', `/api/v1/bot/messages/${id}`, { token: bot.token });
  expect(own.body.message).not.toHaveProperty('app_blocks');
  const plainMessage = await post(undefined as never);
  expect(await shownTo(plainMessage.id)).not.toHaveProperty('app_blocks');
});

test('streams carry the blocks, also after an edit', async () => {
  const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, person.token);
  const { id, ts } = await post(blocksOf(BUTTON));
  await slack('chat.update', { channel, ts, text: 'y', blocks: blocksOf(SELECT) });
  const eventsOf = (name: string): Json[] =>
    stream.events.filter((one: Json) => one['event'] === name && one['message_id'] === id);
  await stream.until(() => eventsOf('message.edited').length > 0);
  expect(eventsOf('message.new')[0]!['app_blocks']).toEqual(blocksOf(BUTTON));
  expect(eventsOf('message.edited')[0]!['app_blocks']).toEqual(blocksOf(SELECT));
  stream.close();
});

test('a button sends block_actions, and 200 acknowledges it', async () => {
  const { id, ts } = await post(blocksOf(BUTTON, SELECT));
  const state = { b: { target: { selected_option: { value: 'test' } } } };
  expect(outcome(await press(id, { state }))).toEqual({ ok: true });
  const sent = payload();
  expect(sent).toMatchObject({
    type: 'block_actions',
    user: { id: slackId('user', person.id) },
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    channel: { id: channel, name: expect.any(String) },
    message: { type: 'message', ts, bot_id: slackId('bot', bot.id), blocks: blocksOf(BUTTON, SELECT) },
    state: { values: { b: { target: { type: 'static_select', selected_option: option('test') } } } },
    trigger_id: expect.any(String),
    response_url: expect.stringContaining('/slack/responses/T'),
  });
  expect(sent['actions']).toEqual([
    {
      ...{ type: 'button', action_id: 'go', block_id: 'b', text: plain('Go'), value: 'v1' },
      action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
    },
  ]);
});

test('elements of cards and containers send block_actions', async () => {
  const card = { type: 'card', block_id: 'b', title: { type: 'mrkdwn', text: 'One' }, actions: [BUTTON] };
  const inner = { type: 'actions', block_id: 'c', elements: [{ ...BUTTON, value: 'v2' }] };
  const { id } = await post([
    { type: 'carousel', elements: [card] },
    { type: 'container', title: plain('Two'), child_blocks: [inner] },
  ]);
  expect(outcome(await press(id))).toEqual({ ok: true });
  expect(payload()['actions']).toMatchObject([{ block_id: 'b', action_id: 'go', value: 'v1' }]);
  expect(outcome(await press(id, { block_id: 'c' }))).toEqual({ ok: true });
  expect(payload()['actions']).toMatchObject([{ block_id: 'c', action_id: 'go', value: 'v2' }]);
});

test('a message without a text has that of its blocks', async () => {
  const card = { type: 'card', title: { type: 'mrkdwn', text: '*One*' }, actions: [BUTTON] };
  const { id } = await post(
    [...blocksOf(BUTTON, SELECT, { ...BUTTON, action_id: 'no', text: plain('No') }), card],
    {
      text: undefined,
    },
  );
  expect(await shownTo(id)).toMatchObject({ text: 'Go · No\n**One** · Go', text_derived: true });
});

test('a native answer with metadata alone removes the blocks', async () => {
  const { id } = await post(blocksOf(BUTTON));
  await press(id);
  const responses = `/api/v1/bot/responses/${payload()['response_url'].split('/').at(-1)}`;
  const body = { update_message: { metadata_json: '{"note":1}' } };
  expect(await api.call('POST', responses, { token: bot.token, body })).toMatchObject({ status: 200 });
  expect(await shownTo(id)).not.toHaveProperty('app_blocks');
  expect(outcome(await press(id))).toEqual([410, 'action_gone']);
});

test('a reply names its thread, and people are spelled as Slack does', async () => {
  const root = await post(blocksOf(BUTTON));
  const { id, ts } = await post(blocksOf(PEOPLE), { thread_ts: root.ts });
  const value = { selected_user: person.id };
  expect(outcome(await act(id, { action_id: 'who', value }))).toEqual({ ok: true });
  expect(payload()).toMatchObject({
    container: { message_ts: ts, channel_id: channel, thread_ts: root.ts },
    message: { thread_ts: root.ts },
    actions: [{ type: 'users_select', selected_user: slackId('user', person.id) }],
  });
  const stranger = { selected_user: bot.id };
  expect(outcome(await act(id, { action_id: 'who', value: stranger }))).toEqual([400, 'invalid_field']);
});

test('an app replaces and deletes its message, and answers the person, at most five times', async () => {
  const { id } = await post(blocksOf(BUTTON));
  await press(id);
  const blocks = blocksOf(SELECT);
  expect((await respond({ replace_original: true, text: 'y', blocks })).status).toBe(200);
  expect((await shownTo(id))['app_blocks']).toEqual(blocks);
  expect(outcome(await respond({ text: 'x', blocks: [{ type: 'section' }] }))).toEqual([400, undefined]);
  const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, person.token);
  expect((await respond({ text: 'only you', blocks: blocksOf(BUTTON) })).status).toBe(200);
  await stream.until(() => stream.events.some(({ event }) => event === 'ephemeral'));
  const whisper = stream.events.find(({ event }) => event === 'ephemeral') as Json;
  expect(whisper['app_blocks']).toEqual(blocksOf(BUTTON));
  stream.close();
  expect((await respond({ response_type: 'in_channel', text: 'all' })).status).toBe(200);
  expect((await respond({ delete_original: true })).status).toBe(200);
  expect(outcome(await press(id))).toEqual([410, 'message_deleted']);
  expect((await respond({ text: 'five' })).status).toBe(200);
  expect((await respond({ text: 'six' })).body).toEqual({ ok: false, error: 'used_url' });
});

test('elements of ephemeral messages work for the person who sees it', async () => {
  const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, person.token);
  const args = { channel, user: slackId('user', person.id), text: 'psst', blocks: blocksOf(BUTTON) };
  await slack('chat.postEphemeral', args);
  const seen = (): Json[] => stream.events.filter(({ event }) => event === 'ephemeral');
  await stream.until(() => seen().length === 1);
  const { message_id: id, app_blocks: blocks } = seen()[0]!;
  expect(blocks).toEqual(blocksOf(BUTTON));
  expect(outcome(await press(id))).toEqual({ ok: true });
  expect(payload()).toMatchObject({ container: { is_ephemeral: true, channel_id: channel } });
  expect(payload()).not.toHaveProperty('message');
  const { owner } = fixture.space;
  expect(outcome(await press(id, {}, owner.token))).toEqual([404, 'message_not_found']);
  expect((await respond({ replace_original: true, text: 'now', blocks: blocksOf(SELECT) })).status).toBe(200);
  await stream.until(() => seen().length === 2);
  expect(seen()[1]).toMatchObject({ message_id: id, app_blocks: blocksOf(SELECT) });
  expect(outcome(await press(id))).toEqual([410, 'action_gone']);
  stream.close();
});

test('an ephemeral message with thread_ts is shown in the thread once it has replies', async () => {
  const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, person.token);
  const { ts } = await slack('chat.postMessage', { channel, text: 'root' });
  const whisper = (text: string, thread_ts = ts): Promise<Json> =>
    slack('chat.postEphemeral', { channel, user: slackId('user', person.id), text, thread_ts });
  const early = await whisper('early');
  expect(early['response_metadata'].messages).toEqual([expect.stringContaining('shown in the channel')]);
  const reply = await slack('chat.postMessage', { channel, text: 'reply', thread_ts: ts });
  const [{ thread }] = (await readRows<{ thread: string }>(
    api.db,
    'SELECT conversation_id AS thread FROM messages WHERE sent_at = $1',
    [sentAtOf(reply['ts'])],
  )) as [{ thread: string }];
  expect(await whisper('late')).not.toHaveProperty('response_metadata');
  await whisper('by a reply', reply['ts']);
  const seen = (): Json[] => stream.events.filter(({ event }) => event === 'ephemeral');
  await stream.until(() => seen().length === 3);
  expect(seen()).toMatchObject([
    { text: 'early', conversation_id: channelUuid },
    { text: 'late', conversation_id: thread },
    { text: 'by a reply', conversation_id: thread },
  ]);
  const unknown = { channel, user: slackId('user', person.id), text: 'x', thread_ts: '1.000001' };
  const refused = await api.call('POST', '/slack/api/chat.postEphemeral', {
    token: bot.token,
    body: unknown,
  });
  expect(refused.body).toMatchObject({ ok: false, error: 'thread_not_found' });
  stream.close();
});

test('an external select asks the app for options', async () => {
  const { id } = await post(blocksOf(EXTERNAL, BUTTON));
  const suggest = (body: object): Promise<TestAnswer> =>
    api.call('POST', `/api/v1/client/messages/${id}/block_options`, {
      token: person.token,
      body: { block_id: 'b', action_id: 'version', query: 'v1', ...body },
    });
  receiver.respond({ status: 200, body: JSON.stringify({ options: [option('v1.4')] }) });
  expect(outcome(await suggest({}))).toEqual({ ok: true, options: [option('v1.4')] });
  expect(payload()).toMatchObject({
    type: 'block_suggestion',
    value: 'v1',
    action_id: 'version',
    block_id: 'b',
  });
  const groups = [{ label: plain('Stable'), options: [option('v1.4')] }];
  receiver.respond({ status: 200, body: JSON.stringify({ option_groups: groups }) });
  expect(outcome(await suggest({}))).toEqual({ ok: true, option_groups: groups });
  receiver.respond({ status: 200, body: JSON.stringify({ options: Array(101).fill(option('a')) }) });
  expect(outcome(await suggest({}))).toEqual([503, 'bot_answer_unreadable']);
  expect(outcome(await suggest({ action_id: 'go' }))).toEqual([400, 'invalid_field']);
  expect(outcome(await suggest({ query: 'x'.repeat(151) }))).toEqual([400, 'invalid_field']);
  receiver.respond(200);
  const value = { selected_option: option('v1.4') };
  expect(outcome(await act(id, { action_id: 'version', value }))).toEqual({ ok: true });
  expect(payload()['actions'][0]).toMatchObject({ selected_option: option('v1.4') });
});

test('feedback and icon buttons are block actions, and an icon button can be for some people', async () => {
  const icon = { type: 'icon_button', icon: 'trash', text: plain('Delete'), action_id: 'i', value: 'd' };
  const hidden = { ...icon, action_id: 'h', visible_to_user_ids: [slackId('user', bot.id)] };
  const { id } = await post([{ type: 'context_actions', block_id: 'b', elements: [FEEDBACK, icon, hidden] }]);
  expect(outcome(await act(id, { action_id: 'f', value: { value: 'bad' } }))).toEqual({ ok: true });
  expect(payload()['actions'][0]).toMatchObject({ type: 'feedback_buttons', value: 'bad' });
  expect(outcome(await act(id, { action_id: 'f', value: { value: 'x' } }))).toEqual([400, 'invalid_field']);
  expect(outcome(await act(id, { action_id: 'i' }))).toEqual({ ok: true });
  expect(payload()['actions'][0]).toMatchObject({ type: 'icon_button', value: 'd' });
  expect(outcome(await act(id, { action_id: 'h' }))).toEqual([403, 'action_not_for_you']);
});

test('a judgment is remembered per person, changed and withdrawn; one that the app did not get is not', async () => {
  const { id, ts } = await post([{ type: 'context_actions', block_id: 'b', elements: [FEEDBACK] }]);
  const judge = (value?: string): Promise<TestAnswer> => act(id, { action_id: 'f', value: { value } });
  const none = { positive: 0, negative: 0, mine: 'none' };
  expect((await shownTo(id))['feedback']).toEqual(none);
  await judge('bad');
  expect((await shownTo(id))['feedback']).toEqual({ positive: 0, negative: 1, mine: 'negative' });
  await judge('good');
  const { owner } = fixture.space;
  expect((await shownTo(id, owner.token))['feedback']).toEqual({ ...none, positive: 1 });
  expect(receiver.requests).toHaveLength(2);
  expect(outcome(await act(id, { action_id: 'f', value: { value: null } }))).toEqual({ ok: true });
  expect(receiver.requests).toHaveLength(2);
  expect((await shownTo(id))['feedback']).toEqual(none);
  receiver.respond(500);
  expect((await judge('good')).status).toBe(503);
  expect((await shownTo(id))['feedback']).toEqual(none);
  await slack('chat.update', { channel, ts, text: 'y', blocks: blocksOf(BUTTON) });
  expect(await shownTo(id)).not.toHaveProperty('feedback');
});

test('wrong ids and values reach no app', async () => {
  const { id, ts } = await post(blocksOf(BUTTON, SELECT));
  const foreign = { selected_option: { value: 'forged' } };
  expect(outcome(await press(id, { action_id: 'gone' }))).toEqual([410, 'action_gone']);
  expect(outcome(await press(id, { block_id: 'gone' }))).toEqual([410, 'action_gone']);
  expect(outcome(await press(id, { action_id: 7 }))).toEqual([400, 'invalid_field']);
  expect(outcome(await act(id, { action_id: 'target', value: foreign }))).toEqual([400, 'invalid_field']);
  expect(outcome(await press(id, { state: { b: { target: foreign } } }))).toEqual([400, 'invalid_field']);
  expect(outcome(await press(bot.id))).toEqual([404, 'message_not_found']);
  const other = await post(undefined as never);
  expect(outcome(await press(other.id))).toEqual([410, 'action_gone']);
  await slack('chat.update', { channel, ts, text: 'done' });
  expect(outcome(await press(id))).toEqual([410, 'action_gone']);
  expect(receiver.requests).toEqual([]);
});

test('people who are not in the channel cannot use its messages', async () => {
  const { id } = await post(blocksOf(BUTTON));
  const other = await fixture.space.person('member', 'Bo');
  expect(outcome(await press(id, {}, other.token))).toEqual([403, 'not_a_member']);
  await api.db.query("UPDATE conversations SET scope = 'private' WHERE id = $1", [channelUuid]);
  expect(outcome(await press(id, {}, other.token))).toEqual([403, 'not_readable']);
  await leave(person.id);
  expect(outcome(await press(id))).toEqual([403, 'not_readable']);
  expect(receiver.requests).toEqual([]);
});

test('a bot that left a private channel still gets actions, but cannot answer there', async () => {
  const { id } = await post(blocksOf(BUTTON));
  await api.db.query("UPDATE conversations SET scope = 'private' WHERE id = $1", [channelUuid]);
  await leave(bot.id);
  expect(outcome(await press(id))).toEqual({ ok: true });
  expect((await respond({ replace_original: true, text: 'x' })).status).toBe(403);
  expect((await shownTo(id))['app_blocks']).toEqual(blocksOf(BUTTON));
});

test('an app that fails or has no address is an error for the person', async () => {
  const { id } = await post(blocksOf(BUTTON));
  receiver.respond(500);
  expect(outcome(await press(id))).toEqual([503, 'bot_did_not_answer']);
  await api.call('DELETE', '/api/v1/bot/interactive_config', { token: bot.token });
  expect(outcome(await press(id))).toEqual([503, 'bot_did_not_answer']);
});
