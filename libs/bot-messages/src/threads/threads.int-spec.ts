import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { bodyReader } from '@tieline/platform/http';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotMessagesModule } from '../bot-messages.module.js';
import { TitleThreadDto } from './dto/title-thread.dto.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const WRITES_PER_SECOND = 20;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: String(WRITES_PER_SECOND) }, [BotMessagesModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

const title = (id: string, value: unknown, token = bot.token): Promise<TestAnswer> =>
  api.call('PATCH', `/api/v1/bot/threads/${id}`, { token, body: { title: value } });
const post = (place = channel, parentMessageId?: string) =>
  fixture.chat.post(place, { id: fixture.space.owner.id, type: 'user' }, 'x', {
    access: 'granted',
    ...(parentMessageId !== undefined && { parentMessageId }),
  });
const asOwner = async (path: string): Promise<any> =>
  (await api.call('GET', `/api/v1${path}`, { token: fixture.space.owner.token })).body;
const rootInHistory = async (id: string): Promise<any> =>
  (await asOwner(`/channels/${channel}/messages`)).messages.find((message: any) => message.id === id);
const changes = (): Promise<any[]> =>
  readRows<{ payload: string }>(
    api.db,
    `SELECT payload FROM outbox WHERE space_id = $1 AND type = 'conversation.thread_titled' ORDER BY id`,
    [fixture.space.spaceId],
  ).then((rows) => rows.map(({ payload }) => JSON.parse(payload)));

test('a title is shown with the thread and its root, to people and bots, and can be removed', async () => {
  const { messageId: root } = await post();
  const { conversationId: thread } = await post(channel, root);
  const before = (await changes()).length;
  expect(await title(root, 'Release 4711')).toEqual(
    expect.objectContaining({ status: 200, body: { ok: true } }),
  );
  expect((await asOwner(`/client/conversations/${thread}`)).conversation).toMatchObject({
    title: 'Release 4711',
    name: '',
  });
  expect(await rootInHistory(root)).toMatchObject({ thread_title: 'Release 4711', reply_count: 1 });
  expect((await asOwner(`/client/messages/${root}`)).message).toMatchObject({ thread_title: 'Release 4711' });
  const asBot = await api.call('GET', `/api/v1/bot/conversations/${thread}`, { token: bot.token });
  expect(asBot.body.conversation).toMatchObject({ title: 'Release 4711' });
  expect((await asOwner(`/client/conversations/${channel}`)).conversation).not.toHaveProperty('title');
  expect((await title(root, 'Release 4712')).status).toBe(200);
  expect((await title(root, 'Release 4712')).status).toBe(200);
  expect((await title(root, null)).status).toBe(200);
  expect(await rootInHistory(root)).not.toHaveProperty('thread_title');
  expect((await asOwner(`/client/conversations/${thread}`)).conversation).not.toHaveProperty('title');
  const place = { conversation_id: channel, thread_id: root };
  expect((await changes()).slice(before)).toEqual([
    { ...place, title: 'Release 4711' },
    { ...place, title: 'Release 4712' },
    { ...place, title: null },
  ]);
});

test('a thread can have a title before its first reply, which then goes there', async () => {
  const { messageId: root } = await post();
  await title(root, 'Early');
  expect(await rootInHistory(root)).toMatchObject({ thread_title: 'Early' });
  expect(await rootInHistory(root)).not.toHaveProperty('reply_count');
  expect(await rootInHistory(root)).not.toHaveProperty('last_reply_at');
  const { conversationId: thread } = await post(channel, root);
  expect((await asOwner(`/client/conversations/${thread}`)).conversation).toMatchObject({ title: 'Early' });
  expect(await rootInHistory(root)).toMatchObject({ thread_title: 'Early', reply_count: 1 });
});

test('removing the title of a message without a thread opens none', async () => {
  const { messageId: root } = await post();
  expect((await title(root, null)).status).toBe(200);
  const threads = 'SELECT 1 FROM conversations WHERE root_message_id = $1';
  expect(await readRows(api.db, threads, [root])).toEqual([]);
});

test('concurrent titles and replies use one thread', async () => {
  const { messageId: root } = await post();
  const [first, reply, second] = await Promise.all([title(root, 'a'), post(channel, root), title(root, 'b')]);
  expect([first.status, second.status]).toEqual([200, 200]);
  const { conversation } = await asOwner(`/client/conversations/${reply.conversationId}`);
  expect(['a', 'b']).toContain(conversation.title);
  const threads = 'SELECT title FROM conversations WHERE root_message_id = $1';
  expect(await readRows(api.db, threads, [root])).toEqual([{ title: conversation.title }]);
});

describe('refused', () => {
  test('replies, unknown messages and malformed ids', async () => {
    const { messageId: root } = await post();
    const { messageId: reply } = await post(channel, root);
    for (const id of [reply, UNKNOWN])
      expect(await title(id, 'x')).toMatchObject({
        status: 404,
        body: { code: 'message_not_found' },
      });
    expect((await title('x', 'x')).status).toBe(404);
  });

  test('bots that are not members, archived conversations, and people', async () => {
    const { messageId: root } = await post();
    const stranger = await fixture.bot();
    expect(await title(root, 'x', stranger.token)).toMatchObject({
      status: 403,
      body: { code: 'bot_not_in_conversation' },
    });
    expect((await title(root, 'x', fixture.space.owner.token)).status).toBe(401);
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(await title(root, 'x')).toMatchObject({ status: 403, body: { code: 'conversation_archived' } });
    expect(await readRows(api.db, 'SELECT 1 FROM conversations WHERE root_message_id = $1', [root])).toEqual(
      [],
    );
  });

  const read = bodyReader(TitleThreadDto);
  test.each([{}, { title: '' }, { title: ' ' }, { title: 5 }, { title: ['x'] }, { title: 'two\nlines' }])(
    'a body %j',
    (body) => {
      expect(() => read(body)).toThrow(expect.objectContaining({ status: 400, field: 'title' }));
    },
  );
  test('more than 200 characters', () => {
    expect(() => read({ title: 'x'.repeat(201) })).toThrow(expect.objectContaining({ field: 'title' }));
    expect(read({ title: '🙂'.repeat(200) })).toMatchObject({ title: '🙂'.repeat(200) });
  });
});

test('titles are charged as writes', async () => {
  const responses = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    const { messageId: root } = await post((channel = await fixture.channelOf(bot)));
    return Promise.all(Array.from({ length: WRITES_PER_SECOND + 3 }, () => title(root, 'x')));
  });
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
});
