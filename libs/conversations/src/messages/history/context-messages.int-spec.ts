import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { readContextMessages } from './context-messages.queries.js';
import { ChatFixture } from '../../testing/index.js';
import { editMessage, deleteMessage } from '../../testing/stubs.js';

let database: TestDatabase;
let db: Db;
let chat: ChatFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  chat = new ChatFixture(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('context is the latest earlier messages of the same conversation, ascending, without deleted ones', async () => {
  const ann = chat.member();
  const [channel, other] = [
    await chat.conversation({ members: [ann] }),
    await chat.conversation({ members: [ann] }),
  ];
  await chat.post(channel, ann, '1');
  const [second, third] = [await chat.post(channel, ann, '2'), await chat.post(channel, ann, '3')];
  for (const text of ['4', '5']) await chat.post(channel, ann, text);
  await chat.post(other, ann, 'elsewhere');
  await chat.post(channel, ann, 'in the thread', { parentMessageId: second.messageId });
  await runInWorkerTx(db, (tx) =>
    deleteMessage.in(tx, { spaceId: chat.spaceId, messageId: third.messageId, actor: ann }),
  );
  await runInWorkerTx(db, (tx) =>
    editMessage.in(tx, { spaceId: chat.spaceId, messageId: second.messageId, editor: ann, text: '2!' }),
  );
  const request = (conversationId: string, beforeMsgIndex: number, limit: number) => ({
    spaceId: chat.spaceId,
    conversationId,
    beforeMsgIndex,
    limit,
  });
  const lists = await readContextMessages(db, [
    request(channel, 5, 2),
    request(channel, 1, 10),
    request(other, 99, 10),
    request(channel, 5, 10),
  ]);
  expect(lists.map((list) => list.map((message) => message.content))).toEqual([
    ['2!', '4'],
    [],
    ['elsewhere'],
    ['1', '2!', '4'],
  ]);
  expect(JSON.stringify(lists[0]?.[0])).toBe(
    JSON.stringify({
      id: second.messageId,
      content: '2!',
      author_id: ann.id,
      created_at: second.sentAt,
      edited_at: lists[0]?.[0]?.edited_at,
    }),
  );
  expect(lists[0]?.[0]?.edited_at).toMatch(/\.\d{9}Z$/);
  expect(lists[0]?.[1]).not.toHaveProperty('edited_at');
  expect(await readContextMessages(db, [])).toEqual([]);
});
