import { uuidv7 } from 'uuidv7';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

const HOOK = 'https://93.184.215.14/events';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000', RATE_DM_PER_SECOND: '10000' });
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

function as({ token }: { token: string }, method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return api.call(method, `/api/v1/bot${path}`, { token, body });
}

describe('GET /bot/me', () => {
  test('returns the bot without secrets', async () => {
    const channel = await fixture.channelOf();
    const mine = await fixture.bot({
      avatar_url: 'https://example.com/a.png',
      event_types: ['MESSAGE_CREATED'],
      channel_ids: [channel],
      webhook_url: HOOK,
    });
    expect(await as(mine, 'GET', '/me')).toMatchObject({ status: 200 });
    expect((await as(mine, 'GET', '/me')).body).toEqual({
      ok: true,
      bot: {
        id: mine.id,
        space_id: fixture.space.spaceId,
        display_name: 'Robot',
        avatar_url: 'https://example.com/a.png',
        is_active: true,
        event_types: ['MESSAGE_CREATED'],
        channel_ids: [channel],
        event_delivery_mode: 'none',
        event_format: 'native',
        slack_events: [],
        webhook_url: '',
        retry_profile: 'contract',
      },
    });
  });
});

describe('PATCH /bot/me', () => {
  test('changes mode, name and avatar and nothing else', async () => {
    const change = {
      event_delivery_mode: 'poll',
      display_name: 'Renamed',
      avatar_url: 'https://example.com/b.png',
    };
    const never = {
      webhook_url: HOOK,
      event_types: ['MESSAGE_CREATED'],
      channel_ids: [uuidv7()],
      is_active: false,
      id: uuidv7(),
      space_id: uuidv7(),
    };
    const { status, body: answer } = await as(bot, 'PATCH', '/me', { ...change, ...never });
    const { warnings, ...body } = answer;
    expect([status, warnings]).toEqual([200, Object.keys(never).map((name) => `unknown field: ${name}`)]);
    expect(body).toMatchObject({
      ok: true,
      bot: { ...change, id: bot.id, webhook_url: '', event_types: [], channel_ids: [], is_active: true },
    });
    expect((await as(bot, 'GET', '/me')).body).toEqual(body);
    expect((await as(bot, 'PATCH', '/me', { avatar_url: '', display_name: null })).body.bot).toMatchObject({
      avatar_url: '',
      display_name: 'Renamed',
    });
  });

  test.each<[string, object | undefined, string]>([
    [
      'mode webhook without a stored URL',
      { event_delivery_mode: 'webhook', webhook_url: HOOK },
      'webhook_url is required in mode webhook',
    ],
    [
      'an unknown mode',
      { event_delivery_mode: 'stream' },
      'event_delivery_mode must be one of none, poll, webhook',
    ],
    ['an empty name', { display_name: '' }, 'display_name must be a text of 1 to 64 characters'],
    [
      'a name of 65 characters',
      { display_name: 'x'.repeat(65) },
      'display_name must be a text of 1 to 64 characters',
    ],
    ['an avatar over http', { avatar_url: 'http://example.com/a.png' }, 'avatar_url must be an HTTPS URL'],
    ['no body', undefined, 'invalid JSON'],
  ])('%s gets 400', async (_, body, error) => {
    expect(await as(bot, 'PATCH', '/me', body)).toMatchObject({ status: 400, body: { ok: false, error } });
  });

  test('webhook_url is empty unless the mode is webhook, and reappears with that mode', async () => {
    const change = async (mode: string) =>
      (await as(bot, 'PATCH', '/me', { event_delivery_mode: mode })).body.bot;
    const seen = async () => [
      (await as(bot, 'GET', '/me')).body.bot.webhook_url,
      (await fixture.admin('GET', `/bots/${bot.id}`)).body.bot.webhook_url,
    ];
    expect((await fixture.admin('PATCH', `/bots/${bot.id}`, { webhook_url: HOOK })).body.bot).toMatchObject({
      event_delivery_mode: 'none',
      webhook_url: '',
    });
    for (const [mode, shown] of [
      ['webhook', HOOK],
      ['poll', ''],
      ['webhook', HOOK],
      ['none', ''],
    ] as const) {
      expect(await change(mode)).toMatchObject({ event_delivery_mode: mode, webhook_url: shown });
      expect(await seen()).toEqual([shown, shown]);
    }
  });

  test("is appended to the outbox and recorded in the audit log as the bot's own change", async () => {
    await as(bot, 'PATCH', '/me', { event_delivery_mode: 'poll' });
    const told = await readRows<{ payload: string }>(
      api.db,
      `SELECT payload FROM outbox WHERE type = 'bot.changed' AND payload::json->>'botId' = $1 ORDER BY id DESC LIMIT 1`,
      [bot.id],
    );
    expect(JSON.parse(told[0]!.payload)).toMatchObject({ eventDeliveryMode: 'poll', isActive: true });
    const { body } = await fixture.admin('GET', '/audit_log?limit=1');
    expect(body.entries[0]).toMatchObject({
      action: 'bot.updated',
      actor_id: bot.id,
      actor_type: 'bot',
      changes: { event_delivery_mode: { from: 'none', to: 'poll' } },
    });
  });
});

test('the calling bot is identified while requests hold every connection', async () => {
  expect((await api.whileBusy(() => as({ token: 'tlb_unknown' }, 'GET', '/me'))).status).toBe(401);
});
