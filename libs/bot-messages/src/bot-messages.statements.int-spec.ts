import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, statementsDuring } from '@tieline/testing';
import { BotMessagesModule } from './bot-messages.module.js';

let api: TestApi;

beforeAll(async () => {
  api = await startBotsApi({}, [BotMessagesModule]);
});
afterAll(() => api?.close());

test('an ordinary message costs one token lookup and one statement that posts it', async () => {
  const fixture = await BotsFixture.of(api);
  const bot = await fixture.bot();
  const body = { conversation_id: await fixture.channelOf(bot), content: 'no mention' };
  const send = () => api.call('POST', '/api/v1/bot/messages', { token: bot.token, body });
  expect((await send()).status).toBe(200);
  // Twice a second the process checks for changed access, which may coincide with one message but
  // not with all.
  await eventually(async () => {
    const statements = await statementsDuring(api.db, send);
    expect(statements.filter((name) => !['BEGIN', 'COMMIT'].includes(name))).toEqual([
      'bots.find_by_tokens',
      'messages.post_if_free',
    ]);
  });
});
