import { archiveConversation } from '@tieline/conversations/testing';
import type { ChatEvent } from '@tieline/conversations';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { BotMessagesModule } from '../bot-messages.module.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const WRITES_PER_SECOND = 60;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  // The message rate does not apply to reactions.
  api = await startBotsApi(
    { RATE_BOT_MESSAGES_PER_SECOND: '1', RATE_BOT_WRITES_PER_SECOND: String(WRITES_PER_SECOND) },
    [BotMessagesModule],
  );
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

function react(method: 'PUT' | 'DELETE', id: string, emoji: string, token = bot.token): Promise<TestAnswer> {
  return api.call(method, `/api/v1/bot/messages/${id}/reactions/${encodeURIComponent(emoji)}`, { token });
}

const post = async (place = channel): Promise<string> =>
  (await fixture.chat.post(place, { id: fixture.space.owner.id, type: 'user' }, 'x', { access: 'granted' }))
    .messageId;
const reactionsOf = async (id: string) =>
  (await api.call('GET', `/api/v1/bot/messages/${id}`, { token: bot.token })).body.message.reactions;
const told = async (id: string) =>
  (await fixture.chat.events())
    .map(({ payload }) => payload as ChatEvent)
    .filter(
      ({ event_type, data }) =>
        event_type?.startsWith('REACTION_') && (data as { message_id: string }).message_id === id,
    )
    .map(({ event_type, actor_id, actor_type, data }) => ({ event_type, actor_id, actor_type, data }));

test("a bot's reaction is added and removed, with one event each", async () => {
  const id = await post();
  const own = { actor_id: bot.id, actor_type: 'bot' };
  const data = { message_id: id, conversation_id: channel, emoji: '🎉', user_id: bot.id };
  for (let n = 0; n < 2; n += 1)
    expect(await react('PUT', id, '🎉')).toMatchObject({ status: 200, body: { ok: true } });
  expect(await reactionsOf(id)).toEqual([{ emoji: '🎉', user_ids: [bot.id] }]);
  for (let n = 0; n < 2; n += 1) expect((await react('DELETE', id, '🎉')).status).toBe(200);
  expect(await reactionsOf(id)).toEqual([]);
  expect(await told(id)).toEqual([
    { event_type: 'REACTION_ADDED', ...own, data },
    { event_type: 'REACTION_REMOVED', ...own, data },
  ]);
});

test("another bot's reaction is not removed", async () => {
  const other = await fixture.bot();
  const id = await post((channel = await fixture.channelOf(bot, other)));
  await react('PUT', id, '🎉', other.token);
  expect((await react('DELETE', id, '🎉')).status).toBe(200);
  expect(await reactionsOf(id)).toEqual([{ emoji: '🎉', user_ids: [other.id] }]);
});

test('requires membership, also in a public channel; an archived one gets 403', async () => {
  const elsewhere = await post(await fixture.channelOf());
  for (const method of ['PUT', 'DELETE'] as const)
    expect(await react(method, elsewhere, '🎉')).toMatchObject({
      status: 403,
      body: { error: 'bot not in conversation', code: 'bot_not_in_conversation' },
    });
  const id = await post();
  const { spaceId, owner } = fixture.space;
  await runInWorkerTx(api.db, (tx) =>
    archiveConversation(tx, { spaceId, conversationId: channel, actor: { id: owner.id, type: 'user' } }),
  );
  expect(await react('PUT', id, '🎉')).toMatchObject({
    status: 403,
    body: { error: 'conversation is archived' },
  });
});

test('an unknown message gets 404, a deleted one 410, a text that is not an emoji 400', async () => {
  const id = await fixture.chat.post(channel, { id: bot.id, type: 'bot' }, 'mine');
  expect((await react('PUT', UNKNOWN, '🎉')).status).toBe(404);
  for (const emoji of ['two words', 'x'.repeat(65)])
    expect(await react('PUT', id.messageId, emoji)).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', field: 'emoji' },
    });
  await api.call('DELETE', `/api/v1/bot/messages/${id.messageId}`, { token: bot.token });
  expect(await react('PUT', id.messageId, '🎉')).toMatchObject({
    status: 410,
    body: { code: 'message_deleted' },
  });
});

test('the 51st different emoji gets 400', async () => {
  const id = await post();
  const responses = await Promise.all(Array.from({ length: 50 }, (_, n) => react('PUT', id, `:e${n}:`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await react('PUT', id, ':another:')).toMatchObject({
    status: 400,
    body: { code: 'too_many_reactions' },
  });
});

test('reactions are charged as writes', async () => {
  const responses = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    const id = await post((channel = await fixture.channelOf(bot)));
    return Promise.all(Array.from({ length: WRITES_PER_SECOND + 3 }, () => react('PUT', id, '🎉')));
  });
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses.slice(0, WRITES_PER_SECOND)).toEqual(Array.from({ length: WRITES_PER_SECOND }, () => 200));
  expect(statuses.slice(WRITES_PER_SECOND)).toEqual([429, 429, 429]);
});
