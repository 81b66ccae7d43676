import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { InteractiveModule } from '@tieline/interactive';
import { SuppliedClicks } from '@tieline/interactive/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

type Json = Record<string, any>;

let api: TestApi;
let fixture: BotsFixture;
let ann: SeededPerson;
let bot: SeededBot;
beforeAll(async () => {
  const modules = [SuppliedClicks.of(), InteractiveModule, AppsModule, SlackSurfaceModule, ...BOTS_WORKER];
  api = await startBotsApi({}, modules);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  ann = await fixture.space.person('member', 'Ann');
  bot = await fixture.bot({ event_types: [], event_delivery_mode: 'poll' });
});
afterAll(() => api?.close());

const plain = (text: string): object => ({ type: 'plain_text', text });
const OPTION = { text: plain('Production'), value: 'live' };
const BUTTON = { type: 'button', action_id: 'start', text: plain('Deploy'), value: '42' };
const BLOCKS = [
  { type: 'section', block_id: 'top', text: plain('v1.4.2'), accessory: BUTTON },
  {
    ...{ type: 'actions', block_id: 'choices' },
    elements: [
      { type: 'static_select', action_id: 'stage', options: [OPTION], initial_option: OPTION },
      { type: 'users_select', action_id: 'who' },
    ],
  },
];

const publish = (blocks: unknown = BLOCKS, more: object = {}, userId = ann.id): Promise<TestAnswer> =>
  api.call('PUT', `/api/v1/bot/homes/${userId}`, { token: bot.token, body: { blocks, ...more } });
const client = (method: string, path: string, body?: object): Promise<TestAnswer> =>
  api.call(method, `/api/v1/client/${path}`, { token: ann.token, ...(body && { body }) });
const seen = async (): Promise<Json> => (await client('GET', `bots/${bot.id}/home`)).body.view;
const act = async (body: object): Promise<TestAnswer> =>
  client('POST', `views/${(await seen())['id']}/block_actions`, body);
const events = async (): Promise<Json[]> => {
  const { body } = await api.call('GET', '/api/v1/bot/events', { token: bot.token });
  return body.events.map(({ payload_json: json }: Json) => JSON.parse(json));
};

test('a home is stored once per person, and replaced only over the version that is known', async () => {
  const first = await publish([{ type: 'actions', elements: [{ ...BUTTON, action_id: undefined }] }]);
  expect(first).toMatchObject({ status: 200, body: { ok: true, home: { user_id: ann.id } } });
  const { hash, blocks } = first.body.home;
  expect(blocks).toMatchObject([
    { block_id: expect.any(String), elements: [{ action_id: expect.any(String) }] },
  ]);
  expect(await seen()).toMatchObject({ type: 'home', hash, blocks });
  expect((await publish(BLOCKS, { hash })).body.home.hash).not.toBe(hash);
  expect((await publish([], { hash })).body).toMatchObject({ code: 'home_changed', field: 'hash' });
  expect(await seen()).toMatchObject({ blocks: [{ block_id: 'top' }, { block_id: 'choices' }] });
  const rows = await readRows(api.db, 'SELECT 1 FROM modals WHERE bot_id = $1', [bot.id]);
  expect(rows).toHaveLength(1);
  expect((await publish([])).status).toBe(200);
  expect(await seen()).toMatchObject({ blocks: [] });
});

test('what people do in it is a native event with uuids', async () => {
  await publish();
  const { hash } = await seen();
  const who = { selected_user: ann.id };
  const state = { choices: { who } };
  expect((await act({ block_id: 'top', action_id: 'start', state })).body).toEqual({ ok: true });
  await eventually(async () => expect(await events()).toHaveLength(1));
  const [sent] = await events();
  expect(sent).toMatchObject({
    ...{ event_type: 'home.action', block_id: 'top', action_id: 'start', element_type: 'button', hash },
    ...{ actor_user_id: ann.id, conversation_id: expect.any(String), response_token: expect.any(String) },
    value: { value: '42' },
    state: {
      choices: {
        stage: { type: 'static_select', selected_option: OPTION },
        who: { type: 'users_select', selected_user: ann.id },
      },
    },
  });
  const body = { trigger_id: sent!['trigger_id'], modal: { title: 'Deploy', fields: [] } };
  const open = (): Promise<TestAnswer> => api.call('POST', '/api/v1/bot/modals', { token: bot.token, body });
  expect((await open()).status).toBe(200);
  expect((await open()).body).toMatchObject({ code: 'trigger_used' });
  const wrong = { block_id: 'choices', action_id: 'who', value: { selected_user: bot.id } };
  expect((await act(wrong)).status).toBe(400);
  expect((await act({ block_id: 'top', action_id: 'gone' })).body).toMatchObject({ code: 'action_gone' });
  await publish([{ ...BLOCKS[0], accessory: undefined }]);
  expect((await act({ block_id: 'top', action_id: 'start' })).body).toMatchObject({ code: 'action_gone' });
  expect(await events()).toHaveLength(1);
});

test.each([
  ['no list', 'x', 'blocks must be an array'],
  ['a text as a block', ['x'], 'blocks: must be a list of objects'],
  ['an unknown block', [{ type: 'novel' }], 'blocks: blocks of type novel are not shown'],
  ['a wrong element', [{ type: 'actions', elements: [{ type: 'button' }] }], 'missing required field'],
  ['101 blocks', Array(101).fill({ type: 'divider' }), 'no more than 100 items allowed'],
  [
    'too much text',
    Array(90).fill({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3000) } }),
    'at most 250,000 bytes',
  ],
  [
    'options of the bot',
    [{ type: 'actions', elements: [{ type: 'external_select', action_id: 'x' }] }],
    'not possible in a home',
  ],
])('%s is refused', async (_name, blocks, text) => {
  const { status, body } = await publish(blocks);
  expect([status, body.field, body.error]).toEqual([400, 'blocks', expect.stringContaining(text)]);
  expect(await seen()).toBeNull();
});

test('only people of the space have homes, and a home of another format replaces it', async () => {
  expect((await publish(BLOCKS, {}, bot.id)).body).toMatchObject({ code: 'user_not_found' });
  const stranger = await BotsFixture.of(api);
  expect((await publish(BLOCKS, {}, stranger.space.owner.id)).status).toBe(404);
  await publish();
  const view = { type: 'home', blocks: BLOCKS };
  const published = await api.call('POST', '/slack/api/views.publish', {
    token: bot.token,
    body: { user_id: slackId('user', ann.id), view },
  });
  expect(published.body).toMatchObject({ ok: true });
  expect(published.body.view).not.toHaveProperty('isNative');
  expect((await act({ block_id: 'top', action_id: 'start' })).body).toMatchObject({
    code: 'bot_did_not_answer',
  });
});
