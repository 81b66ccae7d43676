import { DeleteMessage } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { attachFiles, inspectFiles } from './attach-files.js';
import { FilesHarness, startFilesApi, TestStorage } from '../testing/index.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const NOT_USABLE = { status: 403, text: 'file not available in this conversation' };

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

/** Creates a thread of the channel as a person. */
async function thread(): Promise<{ rootId: string; id: string; replyId: string }> {
  const author = { id: harness.person.id, type: 'user' as const };
  const { messageId: rootId } = await harness.chat.post(harness.channel, author, 'root');
  const { conversationId: id, messageId: replyId } = await harness.chat.post(
    harness.channel,
    author,
    'reply',
    {
      parentMessageId: rootId,
    },
  );
  return { rootId, id, replyId };
}

test('fifteen files, in the given order, in event, response and history', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 15; n += 1)
    ids.unshift(await harness.files().ready(harness.channel, { fileName: `${n}.pdf` }));
  const { messageId, records, status } = await harness.post(ids);
  expect([status, records.map(({ file_id }) => file_id)]).toEqual(['attached', ids]);
  expect(records[0]).toEqual({
    file_id: ids[0],
    conversation_id: harness.channel,
    message_id: messageId,
    file_type: 'document',
    file_name: '14.pdf',
    mime_type: 'application/pdf',
    file_size: 15,
    status: 'ready',
    created_at_unix: expect.any(Number),
    width: 0,
    height: 0,
  });
  const positions = await readRows<{ id: string; position: number }>(
    api.db,
    'SELECT id, position FROM files WHERE message_id = $1 ORDER BY position',
    [messageId],
  );
  expect(positions).toEqual(ids.map((id, n) => ({ id, position: n + 1 })));
  const [event] = (await harness.chat.events()).map(({ payload }) => payload as ChatEvent);
  expect([event?.message?.attachment_status, event?.message?.attachments]).toEqual(['attached', records]);
  expect(await harness.read(messageId)).toMatchObject({
    text: '',
    attachment_status: 'attached',
    attachments: records,
  });
});

test('messages without files have none', async () => {
  const { messageId } = await harness.chat.post(
    harness.channel,
    { id: harness.bot.botId, type: 'bot' },
    'hi',
  );
  await harness.post([await harness.files().ready(harness.channel)]);
  expect(await harness.read(messageId)).toMatchObject({ attachment_status: 'none', attachments: [] });
});

describe('refusals write nothing', () => {
  test.each<[string, () => Promise<string[]>, { status: number; text: string }]>([
    ['an unknown file', async () => [UNKNOWN], NOT_USABLE],
    ["another bot's", async () => [await harness.files(harness.newBot()).ready(harness.channel)], NOT_USABLE],
    [
      "another space's",
      async () => {
        const other = await FilesHarness.of(api);
        return [await other.files().ready(other.channel)];
      },
      NOT_USABLE,
    ],
    [
      'a file of another conversation',
      async () => [await harness.files().ready(await harness.conversation())],
      NOT_USABLE,
    ],
    [
      'a file of a thread, in its channel',
      async () => [await harness.files().ready((await thread()).id)],
      NOT_USABLE,
    ],
    [
      'a file that is not ready',
      async () => [await harness.files().uploading(harness.channel)],
      { status: 400, text: 'file not ready' },
    ],
    [
      'an attached file',
      async () => [
        await harness
          .files()
          .ready(harness.channel)
          .then(async (id) => (await harness.post([id]), id)),
      ],
      { status: 400, text: 'file already attached' },
    ],
    [
      'one twice',
      async () =>
        harness
          .files()
          .ready(harness.channel)
          .then((id) => [id, id]),
      { status: 400, text: 'a file is attached twice' },
    ],
    [
      'sixteen',
      async () => Array.from({ length: 16 }, (_, n) => UNKNOWN.replace(/11$/, String(10 + n))),
      { status: 400, text: 'too many attachments (max 15)' },
    ],
  ])('%s', async (_, files, refusal) => {
    const good = await harness.files().ready(harness.channel);
    const ids = await files();
    const named = ids.length < 15 ? [good, ...ids] : ids;
    await expect(harness.post(named)).rejects.toMatchObject(refusal);
    await expect(
      runInWorkerTx(api.db, (tx) =>
        inspectFiles(tx, harness.bot, { conversationId: harness.channel, fileIds: named }),
      ),
    ).rejects.toMatchObject(refusal);
    expect((await harness.post([good])).status).toBe('attached');
  });

  test('a message that is refused afterwards leaves its files free', async () => {
    const id = await harness.files().ready(harness.channel);
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [harness.channel]);
    await expect(harness.post([id])).rejects.toThrow('archived');
    await api.db.query('UPDATE conversations SET archived_at = NULL WHERE id = $1', [harness.channel]);
    expect((await harness.post([id])).status).toBe('attached');
  });
});

test('of concurrent messages that want the same file, one gets it', async () => {
  const [a, b] = [await harness.files().ready(harness.channel), await harness.files().ready(harness.channel)];
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => harness.post(n % 2 === 0 ? [a, b] : [b, a])),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 400, text: 'file already attached' });
  expect(
    await api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [harness.channel]),
  ).toHaveLength(1);
});

test('the second message waits for the first one and is refused', async () => {
  const id = await harness.files().ready(harness.channel);
  const messageId = uuidv7();
  let second: Promise<unknown> | undefined;
  await runInWorkerTx(api.db, async (tx) => {
    await attachFiles(tx, harness.bot, { conversationId: harness.channel, messageId, fileIds: [id] });
    second = expect(harness.post([id])).rejects.toMatchObject({ status: 400, text: 'file already attached' });
    await eventually(async () =>
      expect(
        await api.db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1),
    );
  });
  await second;
  expect(await api.db.query('SELECT message_id FROM files WHERE id = $1', [id])).toEqual([
    { message_id: messageId },
  ]);
});

test('a file made for a channel can be attached in its threads, one made for a thread only there', async () => {
  const [one, other] = [await thread(), await thread()];
  const ofChannel = (): Promise<string> => harness.files().ready(harness.channel);
  const ofThread = (): Promise<string> => harness.files().ready(one.id);
  for (const [file, to] of [
    [ofChannel, { parentMessageId: one.rootId }],
    [ofChannel, { parentMessageId: one.replyId }],
    [ofChannel, { conversationId: one.id }],
    [ofChannel, { conversationId: one.id, parentMessageId: one.rootId }],
    [ofThread, { conversationId: one.id }],
    [ofThread, { parentMessageId: one.rootId }],
    [ofThread, { parentMessageId: one.replyId }],
  ] as const) {
    const { messageId } = await harness.post([await file()], to);
    expect((await harness.read(messageId, one.id)).attachments).toHaveLength(1);
  }
  for (const to of [{ conversationId: other.id }, { parentMessageId: other.rootId }])
    await expect(harness.post([await ofThread()], to)).rejects.toMatchObject(NOT_USABLE);
});

test('inspecting attaches nothing', async () => {
  const id = await harness.files().ready(harness.channel);
  const [record] = await runInWorkerTx(api.db, (tx) =>
    inspectFiles(tx, harness.bot, { conversationId: harness.channel, fileIds: [id] }),
  );
  expect(record).toMatchObject({ file_id: id, message_id: '', status: 'ready' });
  expect((await harness.post([id])).status).toBe('attached');
});

test('a deleted message has no files any more, for anyone', async () => {
  const id = await harness.files().ready(harness.channel);
  const { messageId } = await harness.post([id]);
  expect((await harness.downloadAs(harness.person, id)).status).toBe(200);
  await runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: harness.space.spaceId, messageId, actor: { id: harness.bot.botId, type: 'bot' } }),
  );
  expect(await harness.read(messageId)).toMatchObject({
    text: '',
    attachment_status: 'none',
    attachments: [],
  });
  expect((await harness.downloadAs(harness.person, id)).status).toBe(404);
  expect((await harness.download(id)).status).toBe(404);
  await expect(harness.post([id])).rejects.toMatchObject(NOT_USABLE);
});
