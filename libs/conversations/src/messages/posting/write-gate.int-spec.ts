import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { ChatFixture } from '../../testing/index.js';
import { createMessage, editMessage } from '../../testing/stubs.js';
import { editAsPerson } from '../actions-of-people.js';
import type { Actor } from '../../actors.js';
import type { NewMessage } from '../create-message.js';
import { PostMessage } from './post-message.js';

const POOL = 6;

let database: TestDatabase;
/** For setup and checks. */
let direct: Db;
let db: Db;
let postMessage: PostMessage;
beforeAll(async () => {
  database = await createTestDatabase();
  direct = await openDb({ databaseUrl: database.url });
  db = await openDb({ databaseUrl: database.url, poolMax: POOL, applicationName: 'gated' });
  postMessage = new PostMessage(db, createMessage);
});
afterAll(async () => {
  await db?.close();
  await direct?.close();
  await database?.drop();
});

interface TestChannel {
  chat: ChatFixture;
  person: Actor;
  channel: string;
  post(text: string, more?: Partial<NewMessage>): Promise<string>;
}

async function testChannel(): Promise<TestChannel> {
  const chat = new ChatFixture(direct);
  const person = chat.member();
  const channel = await chat.conversation({ members: [person] });
  const post: TestChannel['post'] = async (text, more = {}) => {
    const message = { spaceId: chat.spaceId, conversationId: channel, author: person, text, ...more };
    const result = await postMessage.run(message);
    if ('refused' in result) throw new Error(result.refused);
    return result.messageId;
  };
  return { chat, person, channel, post };
}

/** Holds the lock of a channel and its threads while `work` runs. */
async function whileLocked(channel: string, work: () => Promise<void>): Promise<void> {
  await runInWorkerTx(direct, async (tx: Tx) => {
    const below = 'SELECT 1 FROM conversations WHERE $1 IN (id, parent_conversation_id) FOR UPDATE';
    await tx.query(below, [channel]);
    await work();
  });
}

const waiting = async (): Promise<number> =>
  (
    await readRows(
      direct,
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'gated' AND wait_event_type = 'Lock'",
    )
  ).length;

const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** Posts one message with its own transaction and one that shares a statement. */
async function postsOf(other: TestChannel): Promise<void> {
  await other.post('ordinary');
  await other.post(`own transaction <@${other.person.id}>`);
}

test('300 concurrent replies to a locked thread hold two connections, and another space can post', async () => {
  const [flood, other] = [await testChannel(), await testChannel()];
  const parentMessageId = await flood.post('root');
  await flood.post('opens the thread', { parentMessageId });
  let replies: Promise<string[]> | undefined;
  await whileLocked(flood.channel, async () => {
    replies = times(300, (n) => flood.post(`reply ${n}`, { parentMessageId }));
    await eventually(async () => expect(await waiting()).toBe(2));
    await postsOf(other);
    expect(await waiting()).toBe(2);
  });
  expect(new Set(await replies).size).toBe(300);
});

test('replies in many threads hold half of the connections', async () => {
  const [flood, other] = [await testChannel(), await testChannel()];
  const roots = await times(20, (n) => flood.post(`root ${n}`));
  let replies: Promise<string[]> | undefined;
  await whileLocked(flood.channel, async () => {
    replies = times(60, (n) => flood.post(`reply ${n}`, { parentMessageId: roots[n % 20] }));
    await eventually(async () => expect(await waiting()).toBe(POOL / 2));
    await postsOf(other);
    expect(await waiting()).toBe(POOL / 2);
  });
  await replies;
});

test('edits of one message hold two connections', async () => {
  const [flood, other] = [await testChannel(), await testChannel()];
  const messageId = await flood.post('first');
  const edit = { spaceId: flood.chat.spaceId, messageId, editor: flood.person, text: 'again' };
  let edits: Promise<void[]> | undefined;
  await whileLocked(flood.channel, async () => {
    edits = times(50, () => editAsPerson(db, editMessage, edit));
    await eventually(async () => expect(await waiting()).toBe(2));
    await postsOf(other);
  });
  await edits;
});
