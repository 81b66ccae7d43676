import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { ChatFixture } from '../testing/index.js';
import { findLastIndexUntil, findMessagesAt } from './messages-by-time.queries.js';
import { FIND_MESSAGES_AT } from './messages-by-time.statements.js';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a message is found by its time in its channel, also in a thread, and nowhere else', async () => {
  const chat = new ChatFixture(db);
  const bot = chat.member('bot');
  const [channel, other] = [
    await chat.conversation({ members: [bot] }),
    await chat.conversation({ members: [bot] }),
  ];
  const root = await chat.post(channel, bot, 'root');
  const reply = await chat.post(channel, bot, 'reply', { parentMessageId: root.messageId });
  const at = (conversationId: string, sentAt: string, spaceId = chat.spaceId) =>
    findMessagesAt(db, { spaceId, conversationId }, sentAt);
  expect(await at(channel, root.sentAt)).toEqual([
    { id: root.messageId, conversationId: channel, rootMessageId: null },
  ]);
  expect(await at(channel, reply.sentAt)).toEqual([
    { id: reply.messageId, conversationId: reply.conversationId, rootMessageId: root.messageId },
  ]);
  expect(await at(other, root.sentAt)).toEqual([]);
  expect(await at(channel, root.sentAt, new ChatFixture(db).spaceId)).toEqual([]);
  expect(await findLastIndexUntil(db, { spaceId: chat.spaceId, conversationId: channel }, root.sentAt)).toBe(
    1,
  );
});

test('finding a message by its time reads the index of times', async () => {
  await db.query(`INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), n, gen_random_uuid(), 'user', repeat('x', 200), now() + n * interval '1 s'
    FROM generate_series(1, 20000) n`);
  await db.query('ANALYZE messages');
  const plan = await readRows<{ 'QUERY PLAN': string }>(db, `EXPLAIN ${FIND_MESSAGES_AT.preparedText}`, [
    '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    '2026-11-25T20:15:00.000001Z',
  ]);
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('messages_sent_at');
});
