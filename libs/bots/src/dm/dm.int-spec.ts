import { uuidv7 } from 'uuidv7';
import { seedSpace } from '@tieline/spaces/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

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

const post = (path: string, body?: unknown): Promise<TestAnswer> =>
  api.call('POST', `/api/v1/bot${path}`, { token: bot.token, body });

async function membersOf(conversationId: string): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    api.db,
    'SELECT member_id AS id FROM conversation_members WHERE conversation_id = $1',
    [conversationId],
  );
  return rows.map(({ id }) => id);
}

describe('POST /bot/dm', () => {
  test('opens one direct conversation per person, also concurrently', async () => {
    const [ada, bea] = [await fixture.space.person('member'), await fixture.space.person('guest')];
    const responses = await Promise.all(Array.from({ length: 5 }, () => post('/dm', { user_id: ada.id })));
    const [first] = responses;
    for (const response of responses)
      expect([response.status, response.body]).toEqual([
        200,
        { ok: true, conversation_id: first?.body.conversation_id },
      ]);
    expect((await post('/dm', { user_id: ada.id.toUpperCase() })).body).toEqual(first?.body);
    expect((await post('/dm', { user_id: bea.id })).body.conversation_id).not.toBe(
      first?.body.conversation_id,
    );
    expect((await membersOf(first?.body.conversation_id)).sort()).toEqual([ada.id, bot.id].sort());
  });

  test('itself, another bot, a deactivated, foreign or unknown person get 400 user not found', async () => {
    const [gone, foreign, otherBot] = [
      await fixture.space.person('member'),
      (await seedSpace(api.db)).owner,
      await fixture.bot(),
    ];
    await fixture.admin('PATCH', `/users/${gone.id}`, { is_active: false });
    for (const id of [bot.id, otherBot.id, gone.id, foreign.id, uuidv7()]) {
      expect(await post('/dm', { user_id: id })).toMatchObject({
        status: 400,
        body: { ok: false, error: 'user not found' },
      });
    }
  });

  test.each<[string, object | undefined, string]>([
    ['no user', {}, 'user_id is required'],
    ['null', { user_id: null }, 'user_id is required'],
    ['a malformed id', { user_id: 'ada' }, 'user_id must be a uuid'],
    ['no body', undefined, 'invalid JSON'],
  ])('%s gets 400', async (_, body, error) => {
    expect(await post('/dm', body)).toMatchObject({ status: 400, body: { ok: false, error } });
  });
});
