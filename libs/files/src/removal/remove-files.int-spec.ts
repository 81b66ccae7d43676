import { DeleteMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { confirmFile } from '../uploads/confirm-file.js';
import { dropUnattached } from './drop-files.js';
import { removeObjects } from './remove-objects.js';
import type { RemovalResult } from './remove-objects.js';
import { FilesRig, sendBytes, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;
let rig: FilesRig;

beforeAll(async () => {
  storage = await TestStorage.start('s3');
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  rig = await FilesRig.of(api);
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

test('what nobody attached within 24 hours goes, row and bytes; the rest stays', async () => {
  const [ready, uploading, young, attached] = [
    await rig.files().ready(rig.channel),
    await rig.files().uploading(rig.channel),
    await rig.files().ready(rig.channel),
    await rig.files().ready(rig.channel),
  ];
  await rig.post([attached]);
  await age(24.1, ready, uploading, attached);
  await age(23.9, young);
  expect(await dropUnattached(api.db)).toBe(2);
  expect([await known(ready), await known(uploading), await known(young), await known(attached)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect((await rig.download(ready)).status).toBe(404);
  expect(await remove()).toEqual({ removed: 2, postponed: 0 });
  expect([
    await rig.files().isStored(ready),
    await rig.files().isStored(young),
    await rig.files().isStored(attached),
  ]).toEqual([false, true, true]);
  expect([await removals(), await dropUnattached(api.db), await remove()]).toEqual([
    [],
    0,
    { removed: 0, postponed: 0 },
  ]);
});

test('bytes that came after the session had expired go too', async () => {
  const { body } = await rig.session();
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await age(25, body.file.file_id);
  await dropUnattached(api.db);
  await remove();
  expect(await rig.files().isStored(body.file.file_id)).toBe(false);
});

test('a file that is being attached right now stays', async () => {
  const id = await rig.files().ready(rig.channel);
  await age(25, id);
  await runInWorkerTx(api.db, async (tx) => {
    await tx.query('SELECT 1 FROM files WHERE id = $1 FOR UPDATE', [id]);
    expect(await dropUnattached(api.db)).toBe(0);
  });
  expect(await dropUnattached(api.db)).toBe(1);
});

test('one that is dropped while it is confirmed: 404', async () => {
  const { body } = await rig.session();
  const id = body.file.file_id;
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await age(25, id);
  const real = api.app.get(FileStorage);
  const meanwhile = Object.assign(Object.create(real) as FileStorage, {
    stat: async (key: string) => (await dropUnattached(api.db), real.stat(key)),
  });
  await expect(
    confirmFile(api.db, meanwhile, rig.bot, { fileId: id, conversationId: rig.channel, maxBytes: 10 }),
  ).rejects.toMatchObject({ status: 404, text: 'file not found' });
});

test('the bytes of a deleted message go at once, and again once no upload link is left', async () => {
  const { body } = await rig.session();
  const id = body.file.file_id;
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await rig.confirm(id);
  const { messageId } = await rig.post([id]);
  await runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: rig.space.spaceId, messageId, actor: { id: rig.bot.botId, type: 'bot' } }),
  );
  expect(await remove()).toEqual({ removed: 1, postponed: 0 });
  expect(await rig.files().isStored(id)).toBe(false);

  expect((await sendBytes(api, body.upload, Buffer.from('again'))).status).toBe(200);
  const [later] = await removals();
  expect(later!.wait).toBeGreaterThan(7100);
  expect(await remove()).toEqual({ removed: 0, postponed: 0 });
  await api.db.query('UPDATE file_removals SET due_at = now(), final_after = now()');
  expect(await remove()).toEqual({ removed: 1, postponed: 0 });
  expect([await rig.files().isStored(id), await removals()]).toEqual([false, []]);
});

test('a store that is down loses nothing: tried again, ever more rarely', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) ids.push(await rig.files().ready(rig.channel));
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
  for (const id of ids) expect(await rig.files().isStored(id)).toBe(false);
  expect(await removals()).toEqual([]);
});
