import { ChatFixture } from '@tieline/conversations/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededSpace, TestApi } from '@tieline/spaces/testing';
import { SecretBox } from '@tieline/signing';
import { PlatformSettings } from '@tieline/platform/config';
import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import { BOT_WEBHOOK_SECRET } from '../push/webhook/webhook-secret.js';

const HOOK = 'https://93.184.215.14/events';
const NAME_TEXT = 'display_name must be a text of 1 to 64 characters';
const NOT_ALLOWED = 'webhook_url: address not allowed';
const NOT_HTTPS = 'webhook_url must be an HTTPS URL';

let api: TestApi;
let fixture: BotsFixture;
let other: SeededSpace;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000', RATE_DM_PER_SECOND: '10000' });
  fixture = await BotsFixture.of(api);
  other = await seedSpace(api.db, { name: 'Other' });
});
afterAll(() => api?.close());

/** Returns the settings in a bot's `bot.changed` events, in order. */
async function toldSettings(botId: string): Promise<Record<string, unknown>[]> {
  const rows = await readRows<{ payload: string }>(
    api.db,
    `SELECT payload FROM outbox WHERE type = 'bot.changed' ORDER BY id`,
  );
  return rows
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
    .filter((payload) => payload.botId === botId);
}

async function auditOf(botId: string): Promise<Record<string, any>[]> {
  const { body } = await fixture.admin('GET', '/audit_log?limit=200');
  return body.entries.filter((entry: { object_id: string }) => entry.object_id === botId).reverse();
}

describe('POST /admin/bots', () => {
  test('creates a bot with default settings, its token and its signing secret', async () => {
    const { status, body } = await fixture.admin('POST', '/bots', { display_name: 'Deploy bot' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      bot: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        space_id: fixture.space.spaceId,
        display_name: 'Deploy bot',
        avatar_url: '',
        is_active: true,
        event_types: [],
        channel_ids: [],
        event_delivery_mode: 'none',
        event_format: 'native',
        slack_events: [],
        webhook_url: '',
        retry_profile: 'contract',
        breaker: { state: 'closed', consecutive_failures: 0 },
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
      token: expect.stringMatching(/^tlb_[A-Za-z0-9_-]{43}$/),
      webhook_signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await api.call('GET', '/api/v1/bot/me', { token: body.token })).toMatchObject({
      status: 200,
      body: { bot: { id: body.bot.id } },
    });
  });

  test('accepts every setting, in lower case and without duplicates, and treats null as absent', async () => {
    const channel = await fixture.channelOf();
    const settings = {
      display_name: '😀'.repeat(64),
      avatar_url: 'https://example.com/a.png',
      event_types: ['MESSAGE_CREATED', 'MEMBER_JOINED', 'MESSAGE_CREATED'],
      slack_events: ['app_mention', 'message.im', 'app_mention'],
      channel_ids: [channel.toUpperCase(), channel],
      event_delivery_mode: 'webhook',
      webhook_url: HOOK,
      is_active: false,
    };
    const { body } = await fixture.admin('POST', '/bots', settings);
    expect(body.bot).toMatchObject({
      ...settings,
      event_types: ['MESSAGE_CREATED', 'MEMBER_JOINED'],
      slack_events: ['app_mention', 'message.im'],
      channel_ids: [channel],
    });
    expect((await api.call('GET', '/api/v1/bot/me', { token: body.token })).status).toBe(401);
    const nulls = {
      avatar_url: null,
      event_types: null,
      slack_events: null,
      channel_ids: null,
      event_delivery_mode: null,
      webhook_url: null,
      is_active: null,
    };
    expect(await fixture.admin('POST', '/bots', { display_name: 'x', ...nulls })).toMatchObject({
      status: 201,
      body: { bot: { event_delivery_mode: 'none', is_active: true } },
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { display_name: undefined }, 'display_name is required'],
    ['a name of null', { display_name: null }, 'display_name is required'],
    ['an empty name', { display_name: '' }, NAME_TEXT],
    ['a blank name', { display_name: ' \t' }, NAME_TEXT],
    ['a name of 65 characters', { display_name: 'x'.repeat(65) }, NAME_TEXT],
    ['an avatar over http', { avatar_url: 'http://example.com/a.png' }, 'avatar_url must be an HTTPS URL'],
    [
      'an unknown event type',
      { event_types: ['MESSAGE_READ'] },
      expect.stringContaining('event_types must be a list of') as unknown as string,
    ],
    [
      'a direct event type',
      { event_types: ['button.click'] },
      expect.stringContaining('event_types') as unknown as string,
    ],
    [
      'event types that are not a list',
      { event_types: 'MESSAGE_CREATED' },
      expect.stringContaining('event_types') as unknown as string,
    ],
    [
      'an unknown event of Slack',
      { slack_events: ['message'] },
      expect.stringContaining('slack_events must be a list of agent_session_stopped') as unknown as string,
    ],
    [
      'events of Slack that are not a list',
      { slack_events: 'app_mention' },
      expect.stringContaining('slack_events') as unknown as string,
    ],
    ['a malformed channel', { channel_ids: ['general'] }, 'each value in channel_ids must be a uuid'],
    [
      'channels that are not a list',
      { channel_ids: 'x' },
      expect.stringContaining('channel_ids') as unknown as string,
    ],
    ['an unknown channel', { channel_ids: [uuidv7()] }, 'channel_ids must be channels of the space'],
    [
      'an unknown mode',
      { event_delivery_mode: 'push' },
      'event_delivery_mode must be one of none, poll, webhook',
    ],
    [
      'mode webhook without a URL',
      { event_delivery_mode: 'webhook' },
      'webhook_url is required in mode webhook',
    ],
    [
      'mode webhook with an empty URL',
      { event_delivery_mode: 'webhook', webhook_url: '' },
      'webhook_url is required in mode webhook',
    ],
    ['a webhook over http', { webhook_url: 'http://example.com/' }, NOT_HTTPS],
    ['a webhook that is not a URL', { webhook_url: 'example.com' }, NOT_HTTPS],
    ['a webhook on the loopback', { webhook_url: 'https://127.0.0.1/' }, NOT_ALLOWED],
    ['a webhook on localhost', { webhook_url: 'https://localhost/' }, NOT_ALLOWED],
    ['a webhook in a private range', { webhook_url: 'https://[::ffff:10.0.0.1]/' }, NOT_ALLOWED],
    [
      'a webhook with a password',
      { webhook_url: 'https://a:b@example.com/' },
      'webhook_url must not contain a user name or password',
    ],
    [
      'a webhook that is a number',
      { webhook_url: 5 },
      expect.stringContaining('webhook_url') as unknown as string,
    ],
    ['is_active as a text', { is_active: 'yes' }, expect.stringContaining('is_active') as unknown as string],
  ])('%s gets 400', async (_, settings, error) => {
    expect(await fixture.admin('POST', '/bots', { display_name: 'x', ...settings })).toMatchObject({
      status: 400,
      body: { ok: false, error },
    });
  });

  test('channels of another space, threads and direct chats get 400', async () => {
    const { chat } = fixture;
    const [owner, person] = [
      chat.member('user', fixture.space.owner.id),
      chat.member('user', (await fixture.space.person('member')).id),
    ];
    const channel = await chat.conversation({ members: [owner] });
    const root = await chat.post(channel, owner, 'root');
    const thread = (await chat.post(channel, owner, 'reply', { parentMessageId: root.messageId }))
      .conversationId;
    const foreign = await new ChatFixture(api.db, other.spaceId).conversation();
    for (const id of [foreign, thread, await chat.direct(owner, person)]) {
      expect(await fixture.admin('POST', '/bots', { display_name: 'x', channel_ids: [id] })).toMatchObject({
        status: 400,
        body: { error: 'channel_ids must be channels of the space' },
      });
    }
  });

  test('appends the settings to the outbox and the change to the audit log, without any secret in plain text', async () => {
    const { body } = await fixture.admin('POST', '/bots', {
      display_name: 'Told',
      event_delivery_mode: 'webhook',
      webhook_url: HOOK,
      event_types: ['REACTION_ADDED'],
    });
    expect(await toldSettings(body.bot.id)).toEqual([
      {
        botId: body.bot.id,
        spaceId: fixture.space.spaceId,
        isActive: true,
        isDeleted: false,
        eventTypes: ['REACTION_ADDED'],
        channelIds: [],
        eventDeliveryMode: 'webhook',
        eventFormat: 'native',
        slackEvents: [],
        webhookUrl: HOOK,
        retryProfile: 'contract',
      },
    ]);
    const [entry] = await auditOf(body.bot.id);
    expect(entry).toMatchObject({
      action: 'bot.created',
      actor_id: fixture.space.owner.id,
      actor_type: 'user',
      object_type: 'bot',
      changes: { webhook_url: { from: null, to: HOOK } },
    });
    const rows = await readRows<{ row: string; webhook_secret: Buffer }>(
      api.db,
      'SELECT b::text AS row, webhook_secret FROM bots b WHERE id = $1',
      [body.bot.id],
    );
    const box = SecretBox.fromSettings(api.app.get(PlatformSettings));
    expect(box.open(rows[0]!.webhook_secret, BOT_WEBHOOK_SECRET.aad({ id: body.bot.id }))).toBe(
      body.webhook_signing_secret,
    );
    expect(rows[0]!.row).not.toContain(body.webhook_signing_secret);
    expect(rows[0]!.row).not.toContain(body.token.slice(4));
  });
});

describe('PATCH /admin/bots/{id}', () => {
  test('changes the given settings and keeps the others', async () => {
    const { id } = await fixture.bot({ event_types: ['MESSAGE_CREATED'] });
    const changed = await fixture.admin('PATCH', `/bots/${id.toUpperCase()}`, {
      webhook_url: HOOK,
      event_delivery_mode: 'webhook',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        ok: true,
        bot: {
          id,
          display_name: 'Robot',
          event_types: ['MESSAGE_CREATED'],
          webhook_url: HOOK,
          event_delivery_mode: 'webhook',
        },
      },
    });
    expect(changed.body).not.toHaveProperty('webhook_signing_secret');
    expect(
      (await fixture.admin('PATCH', `/bots/${id}`, { event_types: [], event_delivery_mode: 'poll' })).body
        .bot,
    ).toMatchObject({ event_types: [], webhook_url: '' });
    const toWebhook = { event_delivery_mode: 'webhook' };
    expect((await fixture.admin('PATCH', `/bots/${id}`, toWebhook)).body.bot.webhook_url).toBe(HOOK);
    const cleared = { event_delivery_mode: 'poll', webhook_url: '' };
    expect((await fixture.admin('PATCH', `/bots/${id}`, cleared)).body.bot).toMatchObject(cleared);
    expect((await fixture.admin('GET', `/bots/${id}`)).body.bot).toMatchObject(cleared);
    expect((await fixture.admin('PATCH', `/bots/${id}`, toWebhook)).status).toBe(400);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['clearing the URL of mode webhook', { webhook_url: '' }, 'webhook_url is required in mode webhook'],
    ['a private URL', { webhook_url: 'https://169.254.169.254/' }, NOT_ALLOWED],
    ['an empty name', { display_name: '' }, NAME_TEXT],
    ['an unknown channel', { channel_ids: [uuidv7()] }, 'channel_ids must be channels of the space'],
    [
      'a direct event type',
      { event_types: ['slash.command'] },
      expect.stringContaining('event_types') as unknown as string,
    ],
  ])('%s gets 400 and changes nothing', async (_, change, error) => {
    const { id } = await fixture.bot({ event_delivery_mode: 'webhook', webhook_url: HOOK });
    const before = (await fixture.admin('GET', `/bots/${id}`)).body;
    expect(await fixture.admin('PATCH', `/bots/${id}`, { ...change, is_active: false })).toMatchObject({
      status: 400,
      body: { ok: false, error },
    });
    expect((await fixture.admin('GET', `/bots/${id}`)).body).toEqual(before);
    expect(await toldSettings(id)).toHaveLength(1);
  });

  test('mode webhook without a stored URL gets 400', async () => {
    const { id } = await fixture.bot();
    expect(await fixture.admin('PATCH', `/bots/${id}`, { event_delivery_mode: 'webhook' })).toMatchObject({
      status: 400,
      body: { error: 'webhook_url is required in mode webhook' },
    });
  });

  test('a change emits one event; a request that changes nothing emits none', async () => {
    const { id } = await fixture.bot({ event_types: ['MESSAGE_CREATED'] });
    await fixture.admin('PATCH', `/bots/${id}`, { event_types: ['MESSAGE_CREATED'], display_name: 'Robot' });
    expect(await toldSettings(id)).toHaveLength(1);
    await fixture.admin('PATCH', `/bots/${id}`, { event_delivery_mode: 'poll', display_name: 'Robot' });
    expect((await toldSettings(id)).map((told) => told.eventDeliveryMode)).toEqual(['none', 'poll']);
    const entries = await auditOf(id);
    expect(entries.map((entry) => entry.action)).toEqual(['bot.created', 'bot.updated']);
    expect(entries[1]!.changes).toEqual({ event_delivery_mode: { from: 'none', to: 'poll' } });
  });

  test('a disabled bot is refused immediately, and accepted again when enabled', async () => {
    const { id, token } = await fixture.bot();
    await fixture.admin('PATCH', `/bots/${id}`, { is_active: false });
    expect(await api.call('GET', '/api/v1/bot/me', { token })).toMatchObject({
      status: 401,
      body: { error: 'invalid or revoked token' },
    });
    await fixture.admin('PATCH', `/bots/${id}`, { is_active: true });
    expect((await api.call('GET', '/api/v1/bot/me', { token })).status).toBe(200);
  });
});

describe('POST /admin/bots/{id}/regenerate_token', () => {
  test('the old token is revoked immediately, and neither token is stored or logged', async () => {
    const { id, token } = await fixture.bot();
    const { status, body } = await fixture.admin('POST', `/bots/${id}/regenerate_token`);
    expect([status, body]).toEqual([200, { ok: true, token: expect.stringMatching(/^tlb_/) }]);
    expect((await api.call('GET', '/api/v1/bot/me', { token })).status).toBe(401);
    expect((await api.call('GET', '/api/v1/bot/me', { token: body.token })).body.bot.id).toBe(id);
    const entries = await auditOf(id);
    expect(entries.at(-1)).toMatchObject({ action: 'bot.token_regenerated', changes: {} });
    expect(JSON.stringify(entries)).not.toContain(body.token);
  });

  test('a reset also clears the push address and mode, and replaces the push secret', async () => {
    const { id, token } = await fixture.bot({ event_delivery_mode: 'webhook', webhook_url: HOOK });
    const { status, body } = await fixture.admin('POST', `/bots/${id}/regenerate_token`, { reset: true });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        token: expect.stringMatching(/^tlb_/),
        webhook_signing_secret: expect.stringMatching(/^whsec_/),
      },
    ]);
    expect((await api.call('GET', '/api/v1/bot/me', { token })).status).toBe(401);
    const own = await api.call('GET', '/api/v1/bot/me', { token: body.token });
    expect(own.body.bot).toMatchObject({ event_delivery_mode: 'none', webhook_url: '' });
    // No stored address would come back with the mode.
    const refused = await fixture.admin('PATCH', `/bots/${id}`, { event_delivery_mode: 'webhook' });
    expect(refused.status).toBe(400);
    const [row] = await readRows<{ secret: Buffer }>(
      api.db,
      'SELECT webhook_secret AS secret FROM bots WHERE id = $1',
      [id],
    );
    expect(api.app.get(SecretBox).open(row!.secret, BOT_WEBHOOK_SECRET.aad({ id }))).toBe(
      body.webhook_signing_secret,
    );
    expect((await toldSettings(id)).at(-1)).toMatchObject({ eventDeliveryMode: 'none', webhookUrl: '' });
    const entries = await auditOf(id);
    expect(entries.at(-1)).toMatchObject({
      action: 'bot.reset',
      changes: { event_delivery_mode: { from: 'webhook', to: 'none' }, webhook_url: { from: HOOK, to: '' } },
    });
    for (const secret of [body.token, body.webhook_signing_secret])
      expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test.each([{}, { reset: false }, { reset: null }])('%j does not reset', async (given) => {
    const { id } = await fixture.bot({ event_delivery_mode: 'webhook', webhook_url: HOOK });
    const { body } = await fixture.admin('POST', `/bots/${id}/regenerate_token`, given);
    expect(Object.keys(body)).toEqual(['ok', 'token']);
    expect((await fixture.admin('GET', `/bots/${id}`)).body.bot.webhook_url).toBe(HOOK);
  });

  test('reset must be a boolean; otherwise nothing happens', async () => {
    const { id, token } = await fixture.bot();
    expect((await fixture.admin('POST', `/bots/${id}/regenerate_token`, { reset: 'yes' })).status).toBe(400);
    expect((await api.call('GET', '/api/v1/bot/me', { token })).status).toBe(200);
  });
});

describe('DELETE /admin/bots/{id}', () => {
  test('the bot is gone for admins, its token and its memberships end, its messages stay', async () => {
    const bot = await fixture.bot();
    const channel = await fixture.channelOf(bot);
    expect(await fixture.admin('DELETE', `/bots/${bot.id}`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    for (const [method, path] of ENDPOINTS)
      expect((await fixture.admin(method, path.replace(':id', bot.id), bodyOf(method))).status).toBe(404);
    expect((await api.call('GET', '/api/v1/bot/me', { token: bot.token })).status).toBe(401);
    expect(
      (await fixture.admin('GET', '/bots?limit=200')).body.bots.map(({ id }: { id: string }) => id),
    ).not.toContain(bot.id);
    expect(await api.db.query('SELECT 1 FROM conversation_members WHERE member_id = $1', [bot.id])).toEqual(
      [],
    );
    expect(
      await api.db.query('SELECT 1 FROM conversations WHERE id = $1 AND $2 = ANY (bot_ids)', [
        channel,
        bot.id,
      ]),
    ).toEqual([]);
    expect((await toldSettings(bot.id)).at(-1)).toMatchObject({ isDeleted: true });
    expect((await auditOf(bot.id)).at(-1)).toMatchObject({ action: 'bot.deleted' });
  });
});

describe('GET /admin/bots', () => {
  test("lists the space's own bots, newest first, in pages", async () => {
    const mine = await BotsFixture.of(api);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await mine.bot({ display_name: `Bot ${n}` })).id);
    const first = (await mine.admin('GET', '/bots?limit=2')).body;
    const second = (await mine.admin('GET', `/bots?limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await mine.admin('GET', `/bots?limit=2&cursor=${second.next_cursor}`)).body;
    expect([first, second, third].map((page) => page.bots.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(third.next_cursor).toBe('');
    expect(JSON.stringify(first)).not.toMatch(/whsec_|tlb_|token|secret/);
  });

  test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x'])('%s gets 400', async (query) => {
    expect((await fixture.admin('GET', `/bots?${query}`)).status).toBe(400);
  });
});

const bodyOf = (method: string): object | undefined => (method === 'GET' ? undefined : { display_name: 'x' });

const ENDPOINTS: [string, string][] = [
  ['GET', '/bots/:id'],
  ['PATCH', '/bots/:id'],
  ['DELETE', '/bots/:id'],
  ['POST', '/bots/:id/regenerate_token'],
  ['GET', '/bots/:id/deliveries'],
];

describe('access', () => {
  test.each(ENDPOINTS)('%s %s: foreign, unknown and malformed ids get 404', async (method, path) => {
    const { id, token } = await fixture.bot();
    const foreign = await api.call(method, `/api/v1/admin${path.replace(':id', id)}`, {
      token: other.owner.token,
      body: bodyOf(method),
    });
    expect(foreign).toMatchObject({ status: 404, body: { ok: false } });
    for (const unknown of [uuidv7(), 'x'])
      expect((await fixture.admin(method, path.replace(':id', unknown), bodyOf(method))).status).toBe(404);
    expect((await api.call('GET', '/api/v1/bot/me', { token })).status).toBe(200);
  });

  test.each<[string, string]>([...ENDPOINTS, ['GET', '/bots'], ['POST', '/bots']])(
    '%s %s: only admins and owners',
    async (method, path) => {
      const bot = await fixture.bot();
      const url = `/api/v1/admin${path.replace(':id', bot.id)}`;
      const [member, guest, admin] = [
        await fixture.space.person('member'),
        await fixture.space.person('guest'),
        await fixture.space.person('admin'),
      ];
      const body = bodyOf(method);
      for (const token of [member.token, guest.token, bot.token])
        expect((await api.call(method, url, { token, body })).status).toBe(403);
      expect((await api.call(method, url, { body })).status).toBe(401);
      expect([200, 201]).toContain((await api.call(method, url, { token: admin.token, body })).status);
    },
  );

  test('every endpoint is in the OpenAPI document', async () => {
    const { body } = await api.call('GET', '/api/openapi.json');
    for (const [method, path] of [...ENDPOINTS, ['POST', '/bots']] as [string, string][]) {
      const operation = body.paths[`/api/v1/admin${path.replace(':id', '{id}')}`][method.toLowerCase()];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']));
    }
  });
});

test("concurrent creations never exceed the plan's number of bots", async () => {
  const small = await startBotsApi({ SPACE_LIMITS: 'bots=5/7/9' });
  try {
    const own = await BotsFixture.of(small);
    const admin = own.admin.bind(own);
    const { answers, waited } = await small.whileLocked('bots', own.space.spaceId, () =>
      Array.from({ length: 16 }, (_, n) => admin('POST', '/bots', { display_name: `bot ${n}` })),
    );
    expect(waited).toBe(2);
    const [created, refused] = [201, 409].map((code) => answers.filter(({ status }) => status === code));
    expect([created?.length, refused?.length]).toEqual([5, 11]);
    expect(refused?.[0]?.body).toEqual({
      ok: false,
      error: 'this space has 5 bots, as many as its plan allows',
      code: 'limit_reached',
    });
    await admin('DELETE', `/bots/${created?.[0]?.body.bot.id}`);
    expect((await admin('POST', '/bots', { display_name: 'again' })).status).toBe(201);
    await small.db.query("UPDATE spaces SET plan = 'pro'");
    expect((await admin('POST', '/bots', { display_name: 'on pro' })).status).toBe(201);
  } finally {
    await small.close();
  }
});

describe('concurrent changes of one bot hold two connections while they wait for it', () => {
  test.each<[string, string, string, object | undefined]>([
    ['change it', 'PATCH', '', { display_name: 'New' }],
    ['regenerate its token', 'POST', '/regenerate_token', undefined],
    ['reset it', 'POST', '/regenerate_token', { reset: true }],
    ['delete it', 'DELETE', '', undefined],
  ])('%s', async (_name, method, path, body) => {
    const { id } = await fixture.bot();
    const { answers, waited } = await api.whileRowLocked('bots', id, () =>
      Array.from({ length: 12 }, () => fixture.admin(method, `/bots/${id}${path}`, body)),
    );
    expect(waited).toBe(2);
    const later = method === 'DELETE' ? 404 : 200;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(later)]);
  });
});
