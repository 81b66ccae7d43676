import type { TestApi } from '@tieline/spaces/testing';
import { dropFilesOfMessage } from '../removal/drop-files.js';
import { runInWorkerTx } from '@tieline/platform/database';
import { FilesRig, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { FILE_BYTES_PER_SPACE: '1000,2000,3000' });
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const used = async ({ space }: FilesRig): Promise<number> =>
  Number(
    (
      (await api.db.query('SELECT bytes FROM file_usage WHERE space_id = $1', [space.spaceId]))[0] as {
        bytes: string;
      }
    ).bytes,
  );

test('what the files of a space take is bounded by its plan: 409, and nothing is made', async () => {
  const [rig, other] = [await FilesRig.of(api), await FilesRig.of(api)];
  await api.db.query("UPDATE spaces SET plan = 'free' WHERE id = ANY ($1)", [
    [rig.space.spaceId, other.space.spaceId],
  ]);
  expect((await rig.session({ file_size: 600 })).status).toBe(200);
  const refused = await rig.session({ file_size: 401 });
  expect([refused.status, refused.body]).toEqual([
    409,
    { error: 'the files of this space take all that its plan allows' },
  ]);
  expect(await used(rig)).toBe(600);
  expect((await rig.session({ file_size: 400 })).status).toBe(200);
  expect((await other.session({ file_size: 1000 })).status).toBe(200);
  await api.db.query("UPDATE spaces SET plan = 'pro' WHERE id = $1", [rig.space.spaceId]);
  expect((await rig.session({ file_size: 1000 })).status).toBe(200);
});

test('of sessions at the same time no more are made than the quota has room for', async () => {
  const rig = await FilesRig.of(api);
  await api.db.query("UPDATE spaces SET plan = 'free' WHERE id = $1", [rig.space.spaceId]);
  const answers = await Promise.all(Array.from({ length: 8 }, () => rig.session({ file_size: 300 })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(5).fill(409)]);
  expect(await used(rig)).toBe(900);
});

test('files that are dropped make room', async () => {
  const rig = await FilesRig.of(api);
  const id = await rig.files().ready(rig.channel);
  const before = await used(rig);
  expect(before).toBeGreaterThan(0);
  const { messageId } = await rig.post([id]);
  await runInWorkerTx(api.db, (tx) => dropFilesOfMessage(tx, rig.space.spaceId, messageId));
  expect(await used(rig)).toBe(0);
});
