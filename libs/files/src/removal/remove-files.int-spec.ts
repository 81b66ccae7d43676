import { DeleteMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { FileStorage, StorageSettings } from '@tieline/storage';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { ConfirmFile } from '../uploads/confirm-file.js';
import { dropUnattached } from './drop-files.js';
import { removeObjects } from './remove-objects.js';
import type { RemovalResult } from './remove-objects.js';
import { FilesHarness, sendBytes, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;

beforeAll(async () => {
  storage = await TestStorage.start('s3');
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
  await api.db.query('TRUNCATE file_removals');
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const remove = (): Promise<RemovalResult> => removeObjects(api.db, api.app.get(FileStorage));
const age = (hours: number, ...ids: string[]): Promise<unknown> =>
  api.db.query(`UPDATE files SET created_at = now() - $2 * interval '1 hour' WHERE id = ANY($1)`, [
    ids,
    hours,
  ]);
const known = async (id: string): Promise<boolean> =>
  (await api.db.query('SELECT 1 FROM files WHERE id = $1', [id])).length === 1;
const removals = (): Promise<{ attempts: number; wait: number }[]> =>
  readRows(
    api.db,
    'SELECT attempts, round(extract(epoch FROM due_at - clock_timestamp()))::int AS wait FROM file_removals',
  );

test('files not attached within 24 hours are removed, rows and bytes; others stay', async () => {
  const [ready, uploading, young, attached] = [
    await harness.files().ready(harness.channel),
    await harness.files().uploading(harness.channel),
    await harness.files().ready(harness.channel),
    await harness.files().ready(harness.channel),
  ];
  await harness.post([attached]);
  await age(24.1, ready, uploading, attached);
  await age(23.9, young);
  expect(await dropUnattached(api.db)).toBe(2);
  expect([await known(ready), await known(uploading), await known(young), await known(attached)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect((await harness.download(ready)).status).toBe(404);
  expect(await remove()).toEqual({ removed: 2, postponed: 0 });
  expect([
    await harness.files().isStored(ready),
    await harness.files().isStored(young),
    await harness.files().isStored(attached),
  ]).toEqual([false, true, true]);
  expect([await removals(), await dropUnattached(api.db), await remove()]).toEqual([
    [],
    0,
    { removed: 0, postponed: 0 },
  ]);
});

test('bytes that arrived after the session had expired are removed too', async () => {
  const { body } = await harness.session();
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await age(25, body.file.file_id);
  await dropUnattached(api.db);
  await remove();
  expect(await harness.files().isStored(body.file.file_id)).toBe(false);
});

test('a file that is just being attached stays', async () => {
  const id = await harness.files().ready(harness.channel);
  await age(25, id);
  await runInWorkerTx(api.db, async (tx) => {
    await tx.query('SELECT 1 FROM files WHERE id = $1 FOR UPDATE', [id]);
    expect(await dropUnattached(api.db)).toBe(0);
  });
  expect(await dropUnattached(api.db)).toBe(1);
});

test('a file that is dropped while it is confirmed gets 404', async () => {
  const { body } = await harness.session();
  const id = body.file.file_id;
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await age(25, id);
  const real = api.app.get(FileStorage);
  const droppingStorage = Object.assign(Object.create(real) as FileStorage, {
    stat: async (key: string) => (await dropUnattached(api.db), real.stat(key)),
  });
  await expect(
    new ConfirmFile(api.db, droppingStorage, api.app.get(StorageSettings)).run(harness.bot, {
      fileId: id,
      conversationId: harness.channel,
    }),
  ).rejects.toMatchObject({ status: 404, text: 'file not found' });
});

test('the bytes of a deleted message are removed immediately, and again after the upload link has expired', async () => {
  const { body } = await harness.session();
  const id = body.file.file_id;
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await harness.confirm(id);
  const { messageId } = await harness.post([id]);
  await runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: harness.space.spaceId, messageId, actor: { id: harness.bot.botId, type: 'bot' } }),
  );
  expect(await remove()).toEqual({ removed: 1, postponed: 0 });
  expect(await harness.files().isStored(id)).toBe(false);

  expect((await sendBytes(api, body.upload, Buffer.from('again'))).status).toBe(200);
  const [later] = await removals();
  expect(later!.wait).toBeGreaterThan(7100);
  expect(await remove()).toEqual({ removed: 0, postponed: 0 });
  await api.db.query('UPDATE file_removals SET due_at = now(), final_after = now()');
  expect(await remove()).toEqual({ removed: 1, postponed: 0 });
  expect([await harness.files().isStored(id), await removals()]).toEqual([false, []]);
});

test('storage that is down loses nothing: retried at growing intervals', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) ids.push(await harness.files().ready(harness.channel));
  await age(25, ...ids);
  await dropUnattached(api.db);
  await storage.server!.stop();
  for (const wait of [10, 20, 40]) {
    expect(await remove()).toEqual({ removed: 0, postponed: 25 });
    expect(new Set((await removals()).map((row) => row.wait))).toEqual(new Set([wait]));
    await api.db.query('UPDATE file_removals SET due_at = now()');
  }
  await storage.server!.start();
  expect(await remove()).toEqual({ removed: 25, postponed: 0 });
  for (const id of ids) expect(await harness.files().isStored(id)).toBe(false);
  expect(await removals()).toEqual([]);
});
