import { EditGuard, removeMember } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { supply } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { uuidv7 } from 'uuidv7';
import { BotMessagesModule } from '../bot-messages.module.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const PER_SECOND = 20;
/** Messages of running agent runs. */
const working = new Set<string>();
const guard: EditGuard = { isGuarded: async (_tx, _spaceId, { id }) => working.has(id) };

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi(
    { RATE_BOT_MESSAGES_PER_SECOND: String(PER_SECOND), RATE_BOT_WRITES_PER_SECOND: '10000' },
    [BotMessagesModule, supply({ provide: EditGuard, useValue: guard })],
  );
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

const call = (method: string, id: string, token = bot.token): Promise<TestAnswer> =>
  api.call(method, `/api/v1/bot/messages/${id}`, { token });
const read = (id: string, token?: string) => call('GET', id, token);
const remove = (id: string, token?: string) => call('DELETE', id, token);
const mine = async (text = 'mine', place = channel): Promise<string> =>
  (await fixture.chat.post(place, { id: bot.id, type: 'bot' }, text)).messageId;
const deletions = async (id: string): Promise<ChatEvent[]> =>
  (await fixture.chat.events())
    .map(({ payload }) => payload as ChatEvent)
    .filter(({ event_type, message }) => event_type === 'MESSAGE_DELETED' && message?.message_id === id);
const leave = () =>
  runInWorkerTx(api.db, (tx) =>
    removeMember(tx, {
      spaceId: fixture.space.spaceId,
      conversationId: channel,
      memberId: bot.id,
      actor: { id: fixture.space.owner.id, type: 'user' },
    }),
  );

describe('GET /bot/messages/{id}', () => {
  test('returns the message as history shows it', async () => {
    const id = await mine('**hi**');
    const { body } = await api.call('GET', `/api/v1/channels/${channel}/messages`, { token: bot.token });
    expect(await read(id.toUpperCase())).toMatchObject({
      status: 200,
      body: { ok: true, message: body.messages[0] },
    });
    expect(body.messages[0]).toMatchObject({ id, text: '**hi**', author_id: bot.id });
  });

  test('a public channel is readable without membership, a private one and a direct chat only with it', async () => {
    const stranger = await fixture.bot();
    const person = { id: uuidv7(), type: 'user' as const };
    const secret = await fixture.chat.conversation({
      scope: 'private',
      members: [{ id: bot.id, type: 'bot' }],
    });
    const dm = await fixture.chat.direct({ id: bot.id, type: 'bot' }, person);
    expect((await read(await mine(), stranger.token)).status).toBe(200);
    for (const place of [secret, dm]) {
      const id = await mine('x', place);
      expect((await read(id)).status).toBe(200);
      expect(await read(id, stranger.token)).toMatchObject({ status: 403, body: { code: 'not_readable' } });
    }
  });

  test('channel_ids limits it', async () => {
    const id = await mine();
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [await fixture.channelOf()] });
    expect((await read(id)).status).toBe(403);
  });

  test('unknown, foreign and malformed ids get 404; a deleted one gets 410, but 403 without read access', async () => {
    const other = await BotsFixture.of(api);
    const stranger = { id: uuidv7(), type: 'user' as const };
    const elsewhere = await other.chat.post(await other.channelOf(), stranger, 'x', { access: 'granted' });
    for (const id of [UNKNOWN, elsewhere.messageId, 'x']) expect((await read(id)).status).toBe(404);
    const secret = await fixture.chat.conversation({
      scope: 'private',
      members: [{ id: bot.id, type: 'bot' }],
    });
    const id = await mine('x', secret);
    await remove(id);
    expect(await read(id)).toMatchObject({ status: 410, body: { ok: false, code: 'message_deleted' } });
    expect((await read(id, (await fixture.bot()).token)).status).toBe(403);
  });
});

describe('DELETE /bot/messages/{id}', () => {
  test("deletes the bot's own message once, with one event", async () => {
    const id = await mine();
    expect(await remove(id)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await remove(id)).toMatchObject({ status: 410, body: { ok: false, code: 'message_deleted' } });
    expect(await deletions(id)).toMatchObject([{ actor_id: bot.id, actor_type: 'bot', data: { text: '' } }]);
  });

  test('one of ten concurrent requests deletes it', async () => {
    const id = await mine();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => remove(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 410)).toHaveLength(9);
    expect(await deletions(id)).toHaveLength(1);
  });

  test("another author's message gets 403 for every kind of author, and stays", async () => {
    const other = await fixture.bot();
    const authors = [
      { id: other.id, type: 'bot' },
      { id: fixture.space.owner.id, type: 'user' },
      // A webhook or a built-in with the same id is a different author.
      { id: bot.id, type: 'webhook' },
      { id: bot.id, type: 'system' },
    ] as const;
    const place = await fixture.channelOf(bot, other);
    for (const author of authors) {
      const { messageId } = await fixture.chat.post(place, { id: bot.id, type: 'bot' }, 'theirs', {
        author,
        access: 'granted',
      });
      expect(await remove(messageId)).toMatchObject({
        status: 403,
        body: { error: 'message of another author', code: 'message_of_another_author' },
      });
      expect((await read(messageId)).status).toBe(200);
    }
  });

  test('a bot that has left gets 403 bot not in conversation, also for deleted messages', async () => {
    const [kept, gone] = [await mine(), await mine()];
    await remove(gone);
    await leave();
    for (const id of [kept, gone])
      expect(await remove(id)).toMatchObject({ status: 403, body: { error: 'bot not in conversation' } });
    expect(await deletions(kept)).toEqual([]);
  });

  test('the placeholder of a running agent run gets 409, and is deleted after the run has ended', async () => {
    const id = await mine();
    working.add(id);
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'message_of_unfinished_run' },
    });
    working.delete(id);
    expect((await remove(id)).status).toBe(200);
  });

  test('unknown and foreign ones get 404', async () => {
    const other = await BotsFixture.of(api);
    const elsewhere = await other.chat.post(await other.channelOf(), { id: bot.id, type: 'bot' }, 'x', {
      access: 'granted',
    });
    for (const id of [UNKNOWN, elsewhere.messageId]) expect((await remove(id)).status).toBe(404);
  });

  test("shares the rate of the conversation's messages", async () => {
    const responses = await withinOneWindow(api, async () => {
      bot = await fixture.bot();
      channel = await fixture.channelOf(bot);
      const ids = await Promise.all(Array.from({ length: PER_SECOND + 2 }, () => mine()));
      return Promise.all(ids.map((id) => remove(id)));
    });
    expect(
      responses
        .map(({ status }) => status)
        .sort()
        .slice(-3),
    ).toEqual([200, 429, 429]);
  });
});
