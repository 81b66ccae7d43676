import { SecretBox } from '@tieline/signing';
import {
  findComponent,
  findComponentState,
  InteractiveModule,
  verifyToken,
  InteractiveSettings,
} from '@tieline/interactive';
import type { TokenVerdict } from '@tieline/interactive';
import { SuppliedClicks } from '@tieline/interactive/testing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotMessagesModule } from './bot-messages.module.js';

const NOT_DELIVERABLE = 'interactive blocks need a callback_url or poll mode';
const ELEMENTS = [
  {
    type: 'button',
    action_id: 'go',
    text: 'Go',
    style: 'primary',
    data: '{"build":4711}',
    confirm: { title: 'Sure?' },
  },
  { type: 'select', action_id: 'pick', options: [{ value: 'a', label: 'A' }] },
  { type: 'date_picker', action_id: 'day', initial: '2026-12-01', confirm: { title: 'That day?' } },
];
const SECTION = { type: 'section', text: { type: 'mrkdwn', text: 'Deploy?' }, unknown: [1, { two: null }] };

type Element = Record<string, any>;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi(
    {
      RATE_BOT_MESSAGES_PER_SECOND: '10000',
      RATE_BOT_WRITES_PER_SECOND: '10000',
      INTERACTIVE_TOKEN_TTL_SECONDS: '4711',
    },
    [BotMessagesModule, SuppliedClicks.of(), InteractiveModule],
  );
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot({ event_delivery_mode: 'poll' });
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

const metadata = (elements: object[] = ELEMENTS): string =>
  JSON.stringify({
    version: 1,
    blocks: [SECTION, { type: 'actions', elements }],
    attachments: [{ color: 'good' }],
  });
const configure = (): Promise<TestAnswer> =>
  api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: 'https://93.184.215.14/' },
  });
const rotate = (): Promise<TestAnswer> =>
  api.call('POST', '/api/v1/bot/interactive_config/rotate_secret', { token: bot.token });
const disable = (): Promise<TestAnswer> =>
  api.call('DELETE', '/api/v1/bot/interactive_config', { token: bot.token });
const setMode = (mode: string): Promise<TestAnswer> =>
  api.call('PATCH', '/api/v1/bot/me', { token: bot.token, body: { event_delivery_mode: mode } });
const send = (metadata_json: unknown): Promise<TestAnswer> =>
  api.call('POST', '/api/v1/bot/messages', {
    token: bot.token,
    body: { conversation_id: channel, content: 'Deploy?', metadata_json },
  });
const edit = (id: string, metadata_json: unknown): Promise<TestAnswer> =>
  api.call('PATCH', `/api/v1/bot/messages/${id}`, {
    token: bot.token,
    body: { content: 'Deployed', metadata_json },
  });

async function sent(metadata_json = metadata()): Promise<string> {
  const response = await send(metadata_json);
  expect(response).toMatchObject({ status: 200 });
  return response.body.message_id;
}

/** Returns the message's metadata as the owner of the token reads it in the channel's history. */
async function readBy(token: string, messageId: string): Promise<any> {
  const { body } = await api.call('GET', `/api/v1/channels/${channel}/messages`, { token });
  return JSON.parse(body.messages.find((message: Element) => message.id === messageId).metadata_json);
}

const elementsFor = async (token: string, messageId: string): Promise<Element[]> =>
  (await readBy(token, messageId)).blocks[1].elements;

/** Returns the verdict on the token of the button or select. */
async function verdict(messageId: string, actionId = 'go', now?: number): Promise<TokenVerdict> {
  const shown = (await elementsFor(fixture.space.owner.token, messageId)).find(
    ({ action_id }) => action_id === actionId,
  );
  const state = await findComponentState(api.db, api.app.get(SecretBox), fixture.space.spaceId, bot.id);
  const [row] = await readRows<{ metadata_json: string }>(
    api.db,
    'SELECT metadata_json FROM messages WHERE id = $1',
    [messageId],
  );
  const { data } = findComponent(row!.metadata_json, actionId)!;
  return verifyToken(
    state!.keys,
    { spaceId: fixture.space.spaceId, botId: bot.id, actionId, data },
    shown!.signed_token,
    now,
  );
}

describe('a message with buttons', () => {
  test('is shown to people as sent, with a token in every button and select that verifies until it expires', async () => {
    await configure();
    const before = Date.now();
    const id = await sent();
    const after = Date.now();
    const signed = ELEMENTS.map((element) => ({
      ...element,
      signed_token: expect.stringMatching(/^[\w.-]{50,100}$/),
    }));
    expect(await readBy(fixture.space.owner.token, id)).toEqual({
      version: 1,
      blocks: [SECTION, { type: 'actions', elements: signed }],
      attachments: [{ color: 'good' }],
    });
    const ttl = api.app.get(InteractiveSettings).tokenTtlSeconds * 1000;
    for (const action of ['go', 'pick', 'day']) {
      expect([
        await verdict(id, action),
        await verdict(id, action, before + ttl - 1),
        await verdict(id, action, after + ttl),
      ]).toEqual(['ok', 'ok', 'expired']);
    }
  });

  test('is signed again by an edit, whatever the bot put there', async () => {
    const id = await sent();
    const [first] = await elementsFor(fixture.space.owner.token, id);
    expect(
      await edit(
        id,
        metadata([
          { ...ELEMENTS[0], signed_token: 'mine' },
          { ...ELEMENTS[1], signed_token: first!.signed_token },
        ]),
      ),
    ).toMatchObject({ status: 200 });
    expect([await verdict(id), await verdict(id, 'pick')]).toEqual(['ok', 'ok']);
  });

  test('whose data was edited rejects the previous token', async () => {
    const id = await sent();
    const [{ signed_token: old }] = (await elementsFor(fixture.space.owner.token, id)) as [Element];
    const state = await findComponentState(api.db, api.app.get(SecretBox), fixture.space.spaceId, bot.id);
    const subject = { spaceId: fixture.space.spaceId, botId: bot.id, actionId: 'go' };
    expect(verifyToken(state!.keys, { ...subject, data: ELEMENTS[0]!.data! }, old)).toBe('ok');
    expect(verifyToken(state!.keys, { ...subject, data: 'other' }, old)).toBe('invalid');
  });

  test.each<[string, unknown, string]>([
    [
      'a broken element',
      metadata([ELEMENTS[1]!, { ...ELEMENTS[0], action_id: 'Not Allowed' }]),
      'blocks[1].elements[1].action_id: must match ^[a-z0-9_-]{1,64}$',
    ],
    [
      'an unknown element',
      metadata([{ type: 'slider', action_id: 'x' }]),
      'blocks[1].elements[0].type: must be button or select or multi_select or user_select or conversation_select or date_picker or time_picker or overflow or checkboxes or radio',
    ],
    [
      'options that contradict',
      metadata([{ ...ELEMENTS[1], type: 'checkboxes', action_id: 'x', min_selected: 2 }]),
      'blocks[1].elements[0].min_selected: must not exceed the number of options',
    ],
    [
      'a link that is not HTTPS',
      metadata([{ ...ELEMENTS[0], url: 'http://example.com' }]),
      'blocks[1].elements[0].url: must be an HTTPS URL',
    ],
    ['an object in place of a string', { version: 1 }, 'metadata_json must be a string'],
  ])('that breaks the schema gets 400, sent and edited: %s', async (_, broken, error) => {
    const id = await sent('');
    for (const response of [await send(broken), await edit(id, broken)])
      expect([response.status, response.body]).toEqual([
        400,
        { ok: false, error, code: 'invalid_field', field: 'metadata_json' },
      ]);
  });

  test('keeps its metadata out of the events for bots and subscriptions', async () => {
    const id = await sent();
    await edit(id, metadata());
    const events = (await fixture.chat.events())
      .map(({ payload }) => payload as { data?: Element })
      .filter(({ data }) => data?.message_id === id);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toMatch(
      /metadata_json|signed_token|action_id/,
    );
  });
});

describe('visibility in history', () => {
  let ann: SeededPerson;
  let bob: SeededPerson;
  let id: string;

  beforeEach(async () => {
    [ann, bob] = [await fixture.space.person('member'), await fixture.space.person('member')];
    id = await sent(
      metadata([ELEMENTS[0]!, { ...ELEMENTS[1], visibility_user_ids: [ann.id.toUpperCase()] }]),
    );
  });

  test('people see their own elements, and never who they are for', async () => {
    expect((await elementsFor(ann.token, id)).map(({ action_id }) => action_id)).toEqual(['go', 'pick']);
    expect((await elementsFor(bob.token, id)).map(({ action_id }) => action_id)).toEqual(['go']);
    for (const { token } of [ann, bob]) {
      for (const element of await elementsFor(token, id))
        expect(Object.keys(element)).toEqual(expect.arrayContaining(['signed_token']));
      expect(JSON.stringify(await readBy(token, id))).not.toContain('visibility_user_ids');
    }
  });

  test('the bot sees who they are for but no token, and another bot sees only unrestricted elements', async () => {
    expect(await elementsFor(bot.token, id)).toEqual([
      ELEMENTS[0],
      { ...ELEMENTS[1], visibility_user_ids: [ann.id] },
    ]);
    expect(await elementsFor((await fixture.bot()).token, id)).toEqual([ELEMENTS[0]]);
  });
});

describe('buttons and the configuration', () => {
  test('without callback and poll mode they get 400, sent and edited; with a callback any mode works', async () => {
    await setMode('none');
    const id = await sent('');
    for (const response of [await send(metadata()), await edit(id, metadata())])
      expect(response).toMatchObject({ status: 400, body: { ok: false, error: NOT_DELIVERABLE } });
    expect(
      (await send(JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [] }] }))).body.error,
    ).toBe(NOT_DELIVERABLE);
    await configure();
    expect([await verdict(await sent()), (await edit(id, metadata())).status]).toEqual(['ok', 200]);
    await disable();
    expect((await send(metadata())).body.error).toBe(NOT_DELIVERABLE);
  });

  test('in poll mode no configuration is needed, and the first one keeps existing buttons valid', async () => {
    const id = await sent();
    expect(await verdict(id)).toBe('ok');
    expect((await configure()).body.signing_secret).toEqual(expect.any(String));
    expect([await verdict(id), await verdict(await sent())]).toEqual(['ok', 'ok']);
    await configure();
    await setMode('none');
    expect(await verdict(id)).toBe('ok');
  });

  test('the first ten buttons of a bot, sent concurrently, share one key', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => sent()));
    expect(await Promise.all(ids.map((id) => verdict(id)))).toEqual(ids.map(() => 'ok'));
  });

  test('a rotation invalidates all existing buttons, but no later ones', async () => {
    const polled = await sent();
    await configure();
    const called = await sent();
    await rotate();
    expect([await verdict(polled), await verdict(called), await verdict(await sent())]).toEqual([
      'rotated',
      'rotated',
      'ok',
    ]);
  });

  test('DELETE invalidates all existing buttons permanently; poll mode continues without configuration', async () => {
    await configure();
    const before = await sent();
    await disable();
    const polled = await sent();
    expect([await verdict(before), await verdict(polled)]).toEqual(['rotated', 'ok']);
    await configure();
    expect([await verdict(before), await verdict(polled), await verdict(await sent())]).toEqual([
      'rotated',
      'ok',
      'ok',
    ]);
  });

  test('DELETE without configuration invalidates the buttons of poll mode', async () => {
    const id = await sent();
    await disable();
    expect(await verdict(id)).toBe('rotated');
    await edit(id, metadata());
    expect(await verdict(id)).toBe('ok');
  });

  test('a token of one bot is invalid for another', async () => {
    const id = await sent();
    const [{ signed_token: token }] = (await elementsFor(fixture.space.owner.token, id)) as [Element];
    const first = bot;
    bot = await fixture.bot({ event_delivery_mode: 'poll' });
    await api.call('POST', `/api/v1/bot/conversations/${channel}/join`, { token: bot.token });
    await sent();
    const state = await findComponentState(api.db, api.app.get(SecretBox), fixture.space.spaceId, bot.id);
    for (const botId of [first.id, bot.id]) {
      expect(
        verifyToken(
          state!.keys,
          { spaceId: fixture.space.spaceId, botId, actionId: 'go', data: ELEMENTS[0]!.data! },
          token,
        ),
      ).toBe('invalid');
    }
  });
});
