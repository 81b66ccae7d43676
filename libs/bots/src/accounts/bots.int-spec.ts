import { uuidv7 } from 'uuidv7';
import { chatAccess } from '@tieline/conversations';
import type { Member } from '@tieline/conversations/testing';
import { TokenResolvers } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

const SOME_ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const ENDPOINTS: [string, string, object | undefined][] = [
  ['GET', '/me', undefined],
  ['PATCH', '/me', {}],
  ['POST', `/conversations/${SOME_ID}/join`, undefined],
  ['POST', '/dm', { user_id: SOME_ID }],
  ['POST', '/webhook/rotate_secret', undefined],
];

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

describe('the token', () => {
  test.each(ENDPOINTS)('%s %s returns 401 with the documented texts', async (method, path, body) => {
    const refused = async (headers: Record<string, string>) =>
      api.call(method, `/api/v1/bot${path}`, { body, headers });
    const person = await fixture.space.person('member');
    expect(await refused({})).toMatchObject({
      status: 401,
      body: { ok: false, error: 'missing authorization header' },
    });
    expect(await refused({ authorization: `Token ${bot.token}` })).toMatchObject({
      status: 401,
      body: { ok: false, error: 'invalid authorization format' },
    });
    const revoked = [
      `tlb_${'x'.repeat(43)}`,
      person.token,
      'tlb_',
      bot.token.toUpperCase(),
      `${bot.token}x`,
      bot.token.slice(4),
    ];
    for (const token of revoked)
      expect(await refused({ authorization: `Bearer ${token}` })).toMatchObject({
        status: 401,
        body: { ok: false, error: 'invalid or revoked token' },
      });
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['disabled', (id) => fixture.admin('PATCH', `/bots/${id}`, { is_active: false })],
    ['deleted', (id) => fixture.admin('DELETE', `/bots/${id}`)],
    ['given a new token', (id) => fixture.admin('POST', `/bots/${id}/regenerate_token`)],
  ])('a bot that was %s gets 401 on every endpoint', async (_, change) => {
    await change(bot.id);
    for (const [method, path, body] of ENDPOINTS)
      expect(await as(bot, method, path, body)).toMatchObject({
        status: 401,
        body: { error: 'invalid or revoked token' },
      });
  });

  test('bots of an inactive space get 401', async () => {
    const closing = await BotsFixture.of(api);
    const theirs = await closing.bot();
    expect((await as(theirs, 'GET', '/me')).status).toBe(200);
    await api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [closing.space.spaceId]);
    expect((await as(theirs, 'GET', '/me')).status).toBe(401);
  });

  test('concurrent lookups each find their own bot', async () => {
    const bots = await Promise.all(Array.from({ length: 20 }, () => fixture.bot()));
    const asked = bots.flatMap((one) => [one, { id: '', token: `tlb_${uuidv7()}` }]);
    const responses = await Promise.all(asked.map((one) => as(one, 'GET', '/me')));
    expect(responses.map(({ body }) => body.bot?.id ?? '')).toEqual(asked.map(({ id }) => id));
  });
});

describe('channel_ids', () => {
  test('limit what the bot may read', async () => {
    const [inside, outside] = [await fixture.channelOf(), await fixture.channelOf()];
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [inside] });
    const reader = (await api.app.get(TokenResolvers).resolve(bot.token)) as BotPrincipal;
    expect(reader.channelIds).toEqual([inside]);
    const access = await Promise.all([inside, outside].map((id) => chatAccess.reading(api.db, reader, id)));
    expect(access.map((one) => one?.mayRead)).toEqual([true, false]);
  });
});

describe('mentions', () => {
  test('active bots of the space can be mentioned; disabled and foreign ones cannot', async () => {
    const [off, foreign] = [await fixture.bot({ is_active: false }), await (await BotsFixture.of(api)).bot()];
    const author: Member = { id: bot.id, type: 'bot' };
    const channel = await fixture.channelOf(bot);
    const { messageId } = await fixture.chat.post(
      channel,
      author,
      `<@${bot.id.toUpperCase()}> <@${off.id}> <@${foreign.id}>`,
    );
    expect(await api.db.query('SELECT mentions FROM messages WHERE id = $1', [messageId])).toEqual([
      { mentions: [bot.id] },
    ]);
  });
});

test('every endpoint is in the OpenAPI document with its errors', async () => {
  const { body } = await api.call('GET', '/api/openapi.json');
  for (const path of ['/me', '/conversations/{id}/join', '/dm', '/webhook/rotate_secret']) {
    for (const [method, { responses }] of Object.entries<{ responses: object }>(
      body.paths[`/api/v1/bot${path}`],
    )) {
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(method === 'get' ? ['200', '401'] : ['200', '401', '429', '503']),
      );
    }
  }
});

test('the OpenAPI document distinguishes tokens of bots and people by their prefixes', async () => {
  const { body } = await api.call('GET', '/api/openapi.json');
  const { scheme, description } = body.components.securitySchemes.token;
  expect(scheme).toBe('bearer');
  expect(description).toContain("a bot's token (`tlb_…`)");
  expect(description).toContain("a person's token (`tlu_…`)");
});
