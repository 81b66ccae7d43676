import type { TestApi } from '@tieline/spaces/testing';
import { FilesRig, startFilesApi, TestStorage } from './testing/index.js';

const PER_SECOND = 5;
let storage: TestStorage;
let api: TestApi;
let rig: FilesRig;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { RATE_BOT_MESSAGES_PER_SECOND: String(PER_SECOND) });
});
beforeEach(async () => {
  rig = await FilesRig.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

/** Requests at the same moment fall into one window, or two: far fewer than asked for get through. */
const accepted = (answers: { status: number }[]): number => answers.filter(({ status }) => status === 200).length;

test('sessions and confirms share one window per bot and conversation', async () => {
  const id = await rig.files().ready(rig.channel);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? rig.session() : rig.confirm(id))));
  expect(accepted(answers)).toBeGreaterThanOrEqual(PER_SECOND);
  expect(accepted(answers)).toBeLessThanOrEqual(2 * PER_SECOND);
  const refused = answers.find(({ status }) => status === 429)!;
  expect([refused.body, Number(refused.headers.get('retry-after'))]).toEqual([{ error: 'rate limit exceeded' }, 1]);
});

test('another conversation and downloads do not count', async () => {
  const [id, other] = [await rig.files().ready(rig.channel), await rig.conversation()];
  await Promise.all(Array.from({ length: 2 * PER_SECOND }, () => rig.session()));
  expect((await rig.session({ conversation_id: other })).status).toBe(200);
  const downloads = await Promise.all(Array.from({ length: 40 }, () => rig.download(id)));
  expect(accepted(downloads)).toBe(40);
});

test('refused requests do not use it up', async () => {
  const refused = await Promise.all(Array.from({ length: 3 }, async () => [await rig.session({ mime_type: 'x' }), await rig.confirm(rig.channel), await rig.session({ file_size: 0 })]));
  for (let n = 0; n < 3; n += 1) refused.push(await Promise.all([rig.session({ mime_type: 'x' }), rig.confirm(rig.channel)]) as never);
  expect(refused.flat().every(({ status }) => status === 400 || status === 404)).toBe(true);
  expect(accepted(await Promise.all(Array.from({ length: PER_SECOND }, () => rig.session())))).toBe(PER_SECOND);
});
