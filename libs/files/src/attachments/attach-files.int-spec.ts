import { DeleteMessage } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { v7 as uuidv7 } from 'uuid';
import { attachFiles, inspectFiles } from './attach-files.js';
import { FilesRig, startFilesApi, TestStorage } from '../testing/index.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const NOT_USABLE = { status: 403, text: 'file not available in this conversation' };

let storage: TestStorage;
let api: TestApi;
let rig: FilesRig;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  rig = await FilesRig.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

/** A thread of the channel, by a person. */
async function thread(): Promise<{ rootId: string; id: string; replyId: string }> {
  const author = { id: rig.person.id, type: 'user' as const };
  const { messageId: rootId } = await rig.chat.post(rig.channel, author, 'root');
  const { conversationId: id, messageId: replyId } = await rig.chat.post(rig.channel, author, 'reply', {
    parentMessageId: rootId,
  });
  return { rootId, id, replyId };
}

test('fifteen files, in the order given, in event, answer and history', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 15; n += 1) ids.unshift(await rig.files().ready(rig.channel, { fileName: `${n}.pdf` }));
  const { messageId, records, status } = await rig.post(ids);
  expect([status, records.map(({ file_id }) => file_id)]).toEqual(['attached', ids]);
  expect(records[0]).toEqual({
    file_id: ids[0],
    conversation_id: rig.channel,
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
  const [event] = (await rig.chat.events()).map(({ payload }) => payload as ChatEvent);
  expect([event?.message?.attachment_status, event?.message?.attachments]).toEqual(['attached', records]);
  expect(await rig.read(messageId)).toMatchObject({
    text: '',
    attachment_status: 'attached',
    attachments: records,
  });
});

test('messages without files show none', async () => {
  const { messageId } = await rig.chat.post(rig.channel, { id: rig.bot.botId, type: 'bot' }, 'hi');
  await rig.post([await rig.files().ready(rig.channel)]);
  expect(await rig.read(messageId)).toMatchObject({ attachment_status: 'none', attachments: [] });
});

describe('refusals write nothing', () => {
  test.each<[string, () => Promise<string[]>, { status: number; text: string }]>([
    ['an unknown file', async () => [UNKNOWN], NOT_USABLE],
    ["another bot's", async () => [await rig.files(rig.newBot()).ready(rig.channel)], NOT_USABLE],
    [
      "another space's",
      async () => {
        const other = await FilesRig.of(api);
        return [await other.files().ready(other.channel)];
      },
      NOT_USABLE,
    ],
    [
      'one of another conversation',
      async () => [await rig.files().ready(await rig.conversation())],
      NOT_USABLE,
    ],
    [
      'one of a thread, in its channel',
      async () => [await rig.files().ready((await thread()).id)],
      NOT_USABLE,
    ],
    [
      'one that is not ready',
      async () => [await rig.files().uploading(rig.channel)],
      { status: 400, text: 'file not ready' },
    ],
    [
      'one that is attached',
      async () => [
        await rig
          .files()
          .ready(rig.channel)
          .then(async (id) => (await rig.post([id]), id)),
      ],
      { status: 400, text: 'file already attached' },
    ],
    [
      'one twice',
      async () =>
        rig
          .files()
          .ready(rig.channel)
          .then((id) => [id, id]),
      { status: 400, text: 'a file is attached twice' },
    ],
    [
      'sixteen',
      async () => Array.from({ length: 16 }, (_, n) => UNKNOWN.replace(/11$/, String(10 + n))),
      { status: 400, text: 'too many attachments (max 15)' },
    ],
  ])('%s', async (_, files, refusal) => {
    const good = await rig.files().ready(rig.channel);
    const ids = await files();
    const named = ids.length < 15 ? [good, ...ids] : ids;
    await expect(rig.post(named)).rejects.toMatchObject(refusal);
    await expect(
      runInWorkerTx(api.db, (tx) =>
        inspectFiles(tx, rig.bot, { conversationId: rig.channel, fileIds: named }),
      ),
    ).rejects.toMatchObject(refusal);
    expect((await rig.post([good])).status).toBe('attached');
  });

  test('a message that is refused afterwards leaves its files free', async () => {
    const id = await rig.files().ready(rig.channel);
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [rig.channel]);
    await expect(rig.post([id])).rejects.toThrow('archived');
    await api.db.query('UPDATE conversations SET archived_at = NULL WHERE id = $1', [rig.channel]);
    expect((await rig.post([id])).status).toBe('attached');
  });
});

test('of messages that want the same file at once one gets it', async () => {
  const [a, b] = [await rig.files().ready(rig.channel), await rig.files().ready(rig.channel)];
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => rig.post(n % 2 === 0 ? [a, b] : [b, a])),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 400, text: 'file already attached' });
  expect(await api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [rig.channel])).toHaveLength(
    1,
  );
});

test('who comes second waits for the first one, and is refused', async () => {
  const id = await rig.files().ready(rig.channel);
  const messageId = uuidv7();
  let second: Promise<unknown> | undefined;
  await runInWorkerTx(api.db, async (tx) => {
    await attachFiles(tx, rig.bot, { conversationId: rig.channel, messageId, fileIds: [id] });
    second = expect(rig.post([id])).rejects.toMatchObject({ status: 400, text: 'file already attached' });
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

test('a file made for a channel goes into its threads, one made for a thread into that one only', async () => {
  const [one, other] = [await thread(), await thread()];
  const ofChannel = (): Promise<string> => rig.files().ready(rig.channel);
  const ofThread = (): Promise<string> => rig.files().ready(one.id);
  for (const [file, to] of [
    [ofChannel, { parentMessageId: one.rootId }],
    [ofChannel, { parentMessageId: one.replyId }],
    [ofChannel, { conversationId: one.id }],
    [ofChannel, { conversationId: one.id, parentMessageId: one.rootId }],
    [ofThread, { conversationId: one.id }],
    [ofThread, { parentMessageId: one.rootId }],
    [ofThread, { parentMessageId: one.replyId }],
  ] as const) {
    const { messageId } = await rig.post([await file()], to);
    expect((await rig.read(messageId, one.id)).attachments).toHaveLength(1);
  }
  for (const to of [{ conversationId: other.id }, { parentMessageId: other.rootId }])
    await expect(rig.post([await ofThread()], to)).rejects.toMatchObject(NOT_USABLE);
});

test('inspecting attaches nothing', async () => {
  const id = await rig.files().ready(rig.channel);
  const [record] = await runInWorkerTx(api.db, (tx) =>
    inspectFiles(tx, rig.bot, { conversationId: rig.channel, fileIds: [id] }),
  );
  expect(record).toMatchObject({ file_id: id, message_id: '', status: 'ready' });
  expect((await rig.post([id])).status).toBe('attached');
});

test('a deleted message has no files any more, for nobody', async () => {
  const id = await rig.files().ready(rig.channel);
  const { messageId } = await rig.post([id]);
  expect((await rig.downloadAs(rig.person, id)).status).toBe(200);
  await runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: rig.space.spaceId, messageId, actor: { id: rig.bot.botId, type: 'bot' } }),
  );
  expect(await rig.read(messageId)).toMatchObject({ text: '', attachment_status: 'none', attachments: [] });
  expect((await rig.downloadAs(rig.person, id)).status).toBe(404);
  expect((await rig.download(id)).status).toBe(404);
  await expect(rig.post([id])).rejects.toMatchObject(NOT_USABLE);
});
