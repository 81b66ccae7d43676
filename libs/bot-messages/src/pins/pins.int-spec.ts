import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { BotMessagesModule } from '../bot-messages.module.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const WRITES_PER_SECOND = 110;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  // One bot sends more concurrent requests than a caller may by default.
  api = await startBotsApi(
    {
      RATE_BOT_MESSAGES_PER_SECOND: '1',
      RATE_BOT_WRITES_PER_SECOND: String(WRITES_PER_SECOND),
      REQUESTS_PER_CALLER: '1000',
    },
    [BotMessagesModule],
  );
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

const call = (method: string, path: string, token = bot.token): Promise<TestAnswer> =>
  api.call(method, `/api/v1/bot${path}`, { token });
const pin = (id: string, token?: string) => call('PUT', `/messages/${id}/pin`, token);
const unpin = (id: string, token?: string) => call('DELETE', `/messages/${id}/pin`, token);
const pins = (id: string, token?: string) => call('GET', `/conversations/${id}/pins`, token);
const post = async (place = channel): Promise<string> =>
  (await fixture.chat.post(place, { id: fixture.space.owner.id, type: 'user' }, 'x', { access: 'granted' }))
    .messageId;

test('a bot pins messages of others, lists the pins, and unpins them', async () => {
  const id = await post();
  expect(await pin(id)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await call('GET', `/messages/${id}`)).body.message).toMatchObject({
    pinned_by: bot.id,
    pinned_at: expect.any(String),
    permalink: expect.stringMatching(`/c/${channel}/${id}$`),
  });
  expect((await pins(channel)).body.pins).toMatchObject([{ id, pinned_by: bot.id }]);
  expect((await unpin(id)).status).toBe(200);
  expect((await pins(channel)).body.pins).toEqual([]);
});

test('only a member pins; reading follows the rules of history', async () => {
  const stranger = await fixture.bot();
  const id = await post();
  await pin(id);
  for (const response of [await pin(id, stranger.token), await unpin(id, stranger.token)])
    expect(response).toMatchObject({ status: 403, body: { error: 'bot not in conversation' } });
  expect((await pins(channel, stranger.token)).body.pins).toHaveLength(1);
  const secret = await fixture.chat.conversation({ scope: 'private' });
  expect((await pins(secret)).status).toBe(403);
  for (const response of [await pin(UNKNOWN), await unpin(UNKNOWN), await pins(UNKNOWN)])
    expect(response.status).toBe(404);
});

test('a deleted message gets 410, an archived conversation 403', async () => {
  const { messageId } = await fixture.chat.post(channel, { id: bot.id, type: 'bot' }, 'mine');
  const other = await post();
  await call('DELETE', `/messages/${messageId}`);
  expect(await pin(messageId)).toMatchObject({ status: 410, body: { code: 'message_deleted' } });
  await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect(await pin(other)).toMatchObject({ status: 403, body: { error: 'conversation is archived' } });
});

test('the 101st pin gets 409 limit_reached', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 101; n += 1) ids.push(await post());
  for (const id of ids.slice(0, 100)) expect((await pinLater(id)).status).toBe(200);
  expect(await pinLater(ids[100] as string)).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
});

/** Pins in the first rate window that has room. */
async function pinLater(id: string): Promise<TestAnswer> {
  let response = await pin(id);
  while (response.status === 429) response = await pin(id);
  return response;
}

test('pins are charged as writes', async () => {
  const responses = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    const id = await post((channel = await fixture.channelOf(bot)));
    return Promise.all(Array.from({ length: WRITES_PER_SECOND + 3 }, () => pin(id)));
  });
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
});
