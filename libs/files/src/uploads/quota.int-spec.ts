import type { TestApi } from '@tieline/spaces/testing';
import { dropFilesOfMessage } from '../removal/drop-files.js';
import { runInWorkerTx } from '@tieline/platform/database';
import { FilesHarness, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { SPACE_LIMITS: 'file_bytes=1000/2000/3000' });
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const used = async ({ space }: FilesHarness): Promise<number> =>
  Number(
    (
      (await api.db.query('SELECT bytes FROM file_usage WHERE space_id = $1', [space.spaceId]))[0] as {
        bytes: string;
      }
    ).bytes,
  );

test("the bytes of a space's files are limited by its plan: 409, and nothing is created", async () => {
  const [harness, other] = [await FilesHarness.of(api), await FilesHarness.of(api)];
  await api.db.query("UPDATE spaces SET plan = 'free' WHERE id = ANY ($1)", [
    [harness.space.spaceId, other.space.spaceId],
  ]);
  expect((await harness.session({ file_size: 600 })).status).toBe(200);
  const refused = await harness.session({ file_size: 401 });
  expect([refused.status, refused.body]).toEqual([
    409,
    { error: "the files of this space have reached their plan's limit" },
  ]);
  expect(await used(harness)).toBe(600);
  expect((await harness.session({ file_size: 400 })).status).toBe(200);
  expect((await other.session({ file_size: 1000 })).status).toBe(200);
  await api.db.query("UPDATE spaces SET plan = 'pro' WHERE id = $1", [harness.space.spaceId]);
  expect((await harness.session({ file_size: 1000 })).status).toBe(200);
});

test('concurrent sessions never exceed the quota', async () => {
  const harness = await FilesHarness.of(api);
  await api.db.query("UPDATE spaces SET plan = 'free' WHERE id = $1", [harness.space.spaceId]);
  const responses = await Promise.all(Array.from({ length: 8 }, () => harness.session({ file_size: 300 })));
  expect(responses.map(({ status }) => status).sort()).toEqual([
    ...Array(3).fill(200),
    ...Array(5).fill(409),
  ]);
  expect(await used(harness)).toBe(900);
});

test('deleted files free their quota', async () => {
  const harness = await FilesHarness.of(api);
  const id = await harness.files().ready(harness.channel);
  const before = await used(harness);
  expect(before).toBeGreaterThan(0);
  const { messageId } = await harness.post([id]);
  await runInWorkerTx(api.db, (tx) => dropFilesOfMessage(tx, harness.space.spaceId, messageId));
  expect(await used(harness)).toBe(0);
});
