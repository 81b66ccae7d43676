import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { OUTBOX } from '@tieline/delivery';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import type { ChatEvent } from '../../events/chat-event.js';
import type { Actor } from '../../actors.js';
import type { CreatedMessage, NewMessage } from '../create-message.js';
import { findMessage } from '../message.queries.js';
import { messageView } from '../message.view.js';
import { PostMessage } from './post-message.js';
import { ChatFixture } from '../../testing/index.js';
import { createMessage } from '../../testing/stubs.js';

let database: TestDatabase;
let db: Db;
let chat: ChatFixture;
let postMessage: PostMessage;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 24 });
  postMessage = new PostMessage(db, createMessage);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  chat = new ChatFixture(db);
});

async function posted(message: Omit<NewMessage, 'spaceId'>, fixture = chat): Promise<CreatedMessage> {
  const answer = await postMessage.run({ spaceId: fixture.spaceId, ...message });
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`);
  return answer;
}

const events = async (fixture = chat): Promise<ChatEvent[]> =>
  (await fixture.events()).map((event) => event.payload as ChatEvent);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

test('stores and emits the same as a message with its own transaction', async () => {
  const bot = chat.member('bot');
  const other = chat.member('bot');
  const channel = await chat.conversation({ scope: 'private', members: [bot, other] });
  const message = {
    conversationId: channel,
    author: bot,
    text: 'quotes " \\ {a,b} NULL and \n lines, 😀',
    metadataJson: '{"blocks":[]}',
    displayName: 'N"',
    displayAvatarUrl: 'https://x.test/a.png',
  };
  const shared = await posted(message);
  const alone = await runInWorkerTx(db, (tx) => createMessage.in(tx, { spaceId: chat.spaceId, ...message }));
  const [first, second] = await events();
  const differing = {
    event_id: '',
    occurred_at: '',
    data: { message_id: '', msg_index: 0, sent_at: '' },
    message: { id: '', message_id: '', msg_index: 0, sent_at: '' },
  };
  const neutral = (event: ChatEvent | undefined): object => ({
    ...event,
    ...differing,
    data: { ...event?.data, ...differing.data },
    message: { ...event?.message, ...differing.message },
  });
  expect(JSON.stringify(neutral(first))).toBe(JSON.stringify(neutral(second)));
  expect(first?.bot_ids).toEqual([bot.id, other.id]);
  expect(shared).toEqual({
    ...alone,
    messageId: first?.message?.id,
    eventId: first?.event_id,
    msgIndex: 1,
    sentAt: first?.occurred_at,
  });
  const stored = await findMessage(db, chat.spaceId, shared.messageId);
  expect(stored && messageView(stored)).toEqual(first?.message);
});

test('300 concurrent messages beside other writers: indexes without gaps, times and outbox in the same order', async () => {
  const bot = chat.member('bot');
  const channels = await Promise.all(upTo(5).map(() => chat.conversation({ members: [bot] })));
  await Promise.all(
    upTo(300).map((n) =>
      n % 6 === 0
        ? chat.post(channels[n % 5] as string, bot, `alone ${n}`)
        : posted({ conversationId: channels[n % 5] as string, author: bot, text: `shared ${n}` }),
    ),
  );
  const all = await events();
  expect(all).toHaveLength(300);
  for (const channel of channels) {
    const told = all.filter((event) => event.channel_id === channel).map((event) => event.message);
    expect(told.map((message) => message?.msg_index)).toEqual(upTo(told.length));
    const times = told.map((message) => message?.sent_at as string);
    expect([...new Set(times)].sort()).toEqual(times);
    const [row] = await db.query('SELECT last_msg_index FROM conversations WHERE id = $1', [channel]);
    expect(row).toEqual({ last_msg_index: told.length });
  }
});

test('single messages of three processes in one conversation: indexes without gaps, in the order of times', async () => {
  const [bot, person] = [chat.member('bot'), chat.member()];
  const channel = await chat.conversation({ members: [bot, person] });
  const others = await Promise.all(upTo(2).map(() => openDb({ databaseUrl: database.url, poolMax: 4 })));
  const processes = [db, ...others].map((one) => new PostMessage(one, createMessage));
  await Promise.all(
    processes.map(async (post, at) => {
      for (const n of upTo(60)) {
        const author = n % 2 === 0 ? bot : person;
        const message = { conversationId: channel, author, text: `${at} ${n}`, spaceId: chat.spaceId };
        expect(await post.run(message)).toHaveProperty('msgIndex');
      }
    }),
  );
  await Promise.all(others.map((one) => one.close()));
  const told = (await events()).map((event) => event.message);
  expect(told.map((message) => message?.msg_index)).toEqual(upTo(180));
  const times = told.map((message) => message?.sent_at as string);
  expect([...new Set(times)].sort()).toEqual(times);
});

test('a single message to a locked conversation waits alone, and a refused one returns the reason', async () => {
  const [bot, stranger] = [chat.member('bot'), chat.member('bot')];
  const channel = await chat.conversation({ members: [bot] });
  const to = (author: Actor): Promise<object> =>
    postMessage.run({ spaceId: chat.spaceId, conversationId: channel, author, text: 'x' });
  expect(await to(stranger)).toEqual({ refused: 'not_member' });
  let waiting: Promise<object> | undefined;
  await runInWorkerTx(db, async (tx) => {
    await tx.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [channel]);
    waiting = to(bot);
    const elsewhere = await chat.conversation({ members: [bot] });
    expect(await posted({ conversationId: elsewhere, author: bot, text: 'y' })).toMatchObject({
      msgIndex: 1,
    });
  });
  expect(await waiting).toMatchObject({ msgIndex: 1 });
});

test('a refused message returns the reason and does not affect the rest of the batch', async () => {
  const [bot, stranger, person] = [chat.member('bot'), chat.member('bot'), chat.member()];
  const channel = await chat.conversation({ members: [bot, person] });
  const archived = await chat.conversation({ members: [bot] });
  await db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [archived]);
  const to = (conversationId: string, author = bot): Promise<object> =>
    postMessage.run({ spaceId: chat.spaceId, conversationId, author, text: 'x' });
  const answers = await Promise.all([
    to(channel),
    to(channel, stranger),
    to(archived),
    to('01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41'),
    to(channel, person),
    to(channel, chat.member()),
  ]);
  expect(answers).toMatchObject([
    { msgIndex: 1 },
    { refused: 'not_member' },
    { refused: 'archived' },
    { refused: 'unknown_conversation' },
    { msgIndex: 2 },
    { refused: 'not_member' },
  ]);
  expect(await events()).toHaveLength(2);
});

test('a message that fails in the database fails alone', async () => {
  const bot = chat.member('bot');
  const channel = await chat.conversation({ members: [bot] });
  const answers = await Promise.allSettled(
    ['fine', 'a NUL \0', 'fine too'].map((text) => posted({ conversationId: channel, author: bot, text })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await events()).map((event) => event.message?.text).sort()).toEqual(['fine', 'fine too']);
});

test('a concurrent message of another space stays in its space', async () => {
  const other = new ChatFixture(db);
  const [bot, stranger] = [chat.member('bot'), other.member('bot')];
  const [channel, foreign] = [
    await chat.conversation({ members: [bot] }),
    await other.conversation({ members: [stranger] }),
  ];
  const [own, crossing] = await Promise.all([
    posted({ conversationId: channel, author: bot, text: 'x' }),
    postMessage.run({ spaceId: other.spaceId, conversationId: channel, author: bot, text: 'x' }),
    posted({ conversationId: foreign, author: stranger, text: 'y' }, other),
  ]);
  expect([own?.msgIndex, crossing]).toEqual([1, { refused: 'unknown_conversation' }]);
  expect([(await events()).length, (await events(other)).length]).toEqual([1, 1]);
});

test('threads, replies and mentions are posted separately, with the same result', async () => {
  const bot = chat.member('bot');
  const channel = await chat.conversation({ members: [bot] });
  const root = await posted({ conversationId: channel, author: bot, text: 'root' });
  const reply = await posted({
    conversationId: channel,
    author: bot,
    text: 'reply',
    parentMessageId: root.messageId,
  });
  expect(reply).toMatchObject({ threadId: root.messageId, msgIndex: 1 });
  const straight = await posted({ conversationId: reply.conversationId, author: bot, text: 'straight' });
  expect(straight).toMatchObject({ conversationId: reply.conversationId, msgIndex: 2 });
  expect(
    await posted({ conversationId: channel, author: bot, text: `<@${chat.member().id}>` }),
  ).toMatchObject({ msgIndex: 2 });
});

test("signals the outbox's listeners after the commit", async () => {
  let told = 0;
  const end = db.onSignal(OUTBOX, () => (told += 1));
  const bot = chat.member('bot');
  await posted({ conversationId: await chat.conversation({ members: [bot] }), author: bot, text: 'x' });
  expect(told).toBe(1);
  end();
});
