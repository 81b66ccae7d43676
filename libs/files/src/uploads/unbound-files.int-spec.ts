import { FileStorage } from '@tieline/storage';
import type { TestApi } from '@tieline/spaces/testing';
import { Readable } from 'node:stream';
import { dropUnattached } from '../removal/drop-files.js';
import { findAttachable, storageKey } from '../files.queries.js';
import { inspectFiles } from '../attachments/attach-files.js';
import { runInWorkerTx } from '@tieline/platform/database';
import { FilesHarness, startFilesApi, TestStorage } from '../testing/index.js';
import type { HarnessBot } from '../testing/files-harness.js';
import { ConfirmFile } from './confirm-file.js';
import { CreateUnboundFile } from './create-unbound-file.js';

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { SPACE_LIMITS: 'file_bytes=1000/1000/1000', FILE_MAX_BYTES: '900' });
});
beforeEach(async () => (harness = await FilesHarness.of(api)));
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const create = (fileSize = 5, fileName = 'a.txt', bot = harness.bot): ReturnType<CreateUnboundFile['run']> =>
  api.app.get(CreateUnboundFile).run(bot, { fileName, fileSize });

/** Creates a file of no conversation that is ready. */
async function ready(): Promise<string> {
  const { file } = await create();
  await api.app
    .get(FileStorage)
    .put(storageKey(file), Readable.from([Buffer.from('hello')]), { maxBytes: 5 });
  await confirm(file.id);
  return file.id;
}

const confirm = (fileId: string, bot: HarnessBot = harness.bot): Promise<unknown> =>
  api.app.get(ConfirmFile).run(bot, { fileId, conversationId: undefined });

const conversationOf = async (id: string): Promise<unknown> =>
  ((await api.db.query('SELECT conversation_id FROM files WHERE id = $1', [id])) as object[])[0];

test('the message gives a file its conversation', async () => {
  const id = await ready();
  expect(await conversationOf(id)).toEqual({ conversation_id: null });
  const { records, status } = await harness.post([id]);
  expect([status, records]).toMatchObject(['attached', [{ file_id: id, conversation_id: harness.channel }]]);
  expect(await conversationOf(id)).toEqual({ conversation_id: harness.channel });
  expect((await harness.downloadAs(harness.person, id)).status).toBe(200);
  expect((await harness.download(id)).status).toBe(200);
});

test('a file that a reply attaches belongs to the channel', async () => {
  const { messageId } = await harness.post([await ready()]);
  const id = await ready();
  await harness.post([id], { parentMessageId: messageId });
  expect(await conversationOf(id)).toEqual({ conversation_id: harness.channel });
  expect((await harness.downloadAs(harness.person, id)).status).toBe(200);
});

test('checking a file for a conversation names it and binds nothing', async () => {
  const id = await ready();
  const named = { conversationId: harness.channel, fileIds: [id] };
  const records = await runInWorkerTx(api.db, (tx) => inspectFiles(tx, harness.bot, named));
  expect(records).toMatchObject([{ conversation_id: harness.channel, message_id: '' }]);
  expect(await conversationOf(id)).toEqual({ conversation_id: null });
});

test('until then only the bot can use it, and nobody downloads it', async () => {
  const id = await ready();
  const other = harness.newBot();
  await expect(confirm(id, other)).rejects.toMatchObject({ status: 404 });
  expect(await findAttachable(api.db, other, [id])).toEqual([]);
  const elsewhere = await harness.conversation({ members: [{ id: other.botId, type: 'bot' }] });
  await expect(harness.post([id], { bot: other, conversationId: elsewhere })).rejects.toMatchObject({
    status: 403,
    code: 'file_not_available',
  });
  for (const token of [harness.bot.token, other.token]) {
    expect((await harness.download(id, harness.channel, token)).status).toBe(404);
    expect((await harness.confirm(id, harness.channel, token)).status).toBe(404);
  }
  expect((await harness.downloadAs(harness.person, id)).status).toBe(404);
});

test('is used once, and stays in its conversation', async () => {
  const id = await ready();
  await harness.post([id]);
  const elsewhere = await harness.conversation();
  for (const [conversationId, status] of [
    [harness.channel, 400],
    [elsewhere, 403],
  ] as const)
    await expect(harness.post([id], { conversationId })).rejects.toMatchObject({ status });
});

test('a file that is never used ends after 24 hours, uploaded or not', async () => {
  const ids = [await ready(), (await create()).file.id];
  await api.db.query(`UPDATE files SET created_at = now() - interval '23 hours' WHERE id = ANY ($1)`, [ids]);
  expect(await dropUnattached(api.db)).toBe(0);
  await api.db.query(`UPDATE files SET created_at = now() - interval '25 hours' WHERE id = ANY ($1)`, [ids]);
  expect(await dropUnattached(api.db)).toBe(2);
  const removals = await api.db.query('SELECT file_id FROM file_removals WHERE file_id = ANY ($1)', [ids]);
  expect(removals).toHaveLength(2);
});

test('counts towards the quota of the space', async () => {
  await create(900);
  await expect(create(101)).rejects.toMatchObject({ status: 409, code: 'limit_reached' });
  await expect(create(100)).resolves.toMatchObject({ file: { status: 'uploading', conversationId: null } });
});

test.each([
  ['no name', 5, ''],
  ['a control character', 5, 'a\nb'],
  ['a long name', 5, 'x'.repeat(256)],
  ['no bytes', 0, 'a'],
  ['half a byte', 1.5, 'a'],
  ['too many bytes', 901, 'a'],
])('refuses %s', async (_name, size, name) => {
  await expect(create(size, name)).rejects.toMatchObject({ status: 400 });
});

test('only a file of a bot can be without a conversation', async () => {
  const { file } = await create();
  await expect(
    api.db.query('UPDATE files SET bot_id = NULL, user_id = bot_id WHERE id = $1', [file.id]),
  ).rejects.toThrow('files_unbound');
});
