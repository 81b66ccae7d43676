import { RateLimiter } from '@tieline/rate-limit';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { eventually } from '@tieline/testing';
import { findReadyFilesOf, grantFiles } from '../grants/file-grants.js';
import { dropUnattached } from '../removal/drop-files.js';
import { FilesHarness, sendBytes, startFilesApi, TestStorage } from '../testing/index.js';

const HELLO = Buffer.from('hello');

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;
beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, {
    FILE_MAX_BYTES: '1000',
    SPACE_LIMITS: 'file_bytes=2000/3000/4000',
    RATE_USER_WRITES_PER_SECOND: '5',
  });
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const outcome = ({ status, body }: TestAnswer) => [status, body.code];
const call = (path: string, body: unknown, as: { token: string } = harness.person): Promise<TestAnswer> =>
  api.call('POST', `/api/v1/client/files${path}`, { token: as.token, body });
const session = (more: object = {}, as?: SeededPerson): Promise<TestAnswer> =>
  call(
    '/upload_sessions',
    { conversation_id: harness.channel, file_name: 'a.txt', file_size: 5, mime_type: 'text/plain', ...more },
    as,
  );
async function ready(): Promise<string> {
  const { body } = await session();
  await sendBytes(api, body.upload, HELLO);
  await call(`/${body.file.file_id}/confirm`, {});
  return body.file.file_id;
}

test('from session to ready, as bots do it', async () => {
  const { status, body } = await session();
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      upload: expect.objectContaining({ method: 'PUT', upload_url: expect.any(String) }),
      file: expect.objectContaining({
        conversation_id: harness.channel,
        status: 'uploading',
        message_id: '',
      }),
    },
  ]);
  const id: string = body.file.file_id;
  expect(outcome(await call(`/${id}/confirm`, {}))).toEqual([400, 'file_not_uploaded']);
  expect((await sendBytes(api, body.upload, HELLO)).status).toBe(200);
  for (const named of [{ conversation_id: harness.channel }, {}, { conversation_id: null }])
    expect((await call(`/${id}/confirm`, named)).body).toEqual({
      ok: true,
      file: { file_id: id, status: 'ready' },
    });
});

test('404 for an unknown conversation, 403 if the person is not a member or it is archived', async () => {
  const other = await FilesHarness.of(api);
  expect(outcome(await session({ conversation_id: other.channel }))).toEqual([404, 'conversation_not_found']);
  expect(outcome(await session({}, await harness.space.person('member', 'Ben')))).toEqual([
    403,
    'not_a_member',
  ]);
  await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [harness.channel]);
  expect(outcome(await session())).toEqual([403, 'conversation_archived']);
});

test.each([
  [{ file_size: 1001 }, 'file_too_large'],
  [{ mime_type: 'application/x-sh' }, 'unsupported_mime_type'],
  [{ file_name: '' }, 'invalid_field'],
  [{ conversation_id: undefined }, 'invalid_field'],
])('%j gets 400 %s', async (body, code) => {
  expect(outcome(await session(body))).toEqual([400, code]);
});

test("the quota of the space's plan applies", async () => {
  await api.db.query(`UPDATE spaces SET plan = 'free' WHERE id = $1`, [harness.space.spaceId]);
  for (let n = 0; n < 2; n += 1) expect((await session({ file_size: 1000 })).status).toBe(200);
  expect(outcome(await session())).toEqual([409, 'limit_reached']);
});

test('uploads are charged as writes of that person', () =>
  withinOneWindow(api, async () => {
    harness = await FilesHarness.of(api);
    const responses = await Promise.all(Array.from({ length: 14 }, () => session()));
    expect(responses.some(({ status }) => status === 429)).toBe(true);
  }));

test('a file belongs to its uploader: others, including bots, get 404', async () => {
  const { body } = await session();
  const id: string = body.file.file_id;
  await sendBytes(api, body.upload, HELLO);
  expect(outcome(await call(`/${id}/confirm`, {}, harness.space.owner))).toEqual([404, 'file_not_found']);
  expect((await harness.confirm(id)).status).toBe(404);
  expect((await call(`/${await harness.files().uploading(harness.channel)}/confirm`, {})).status).toBe(404);
  expect((await call(`/${id}/confirm`, { conversation_id: harness.bot.botId })).status).toBe(404);
  expect((await harness.download(id)).status).toBe(404);
  await expect(harness.post([id])).rejects.toMatchObject({ status: 403 });
});

test('only a bot that was granted a file can download it', async () => {
  const id = await ready();
  const elsewhere = await harness.conversation();
  const { spaceId } = harness.space;
  const { botId } = harness.bot;
  for (let n = 0; n < 2; n += 1)
    await grantFiles(api.db, { spaceId, botId, conversationId: elsewhere }, [id]);
  expect((await harness.download(id)).body).toMatchObject({ ok: true, file_id: id });
  expect((await harness.download(id, elsewhere)).status).toBe(200);
  expect((await harness.download(id, await harness.conversation())).status).toBe(404);
  expect((await harness.download(id, harness.channel, harness.newBot().token)).status).toBe(404);
});

test('finds those of some files that are ready and belong to that person', async () => {
  const [mine, uploading] = [await ready(), (await session()).body.file.file_id as string];
  const ofBot = await harness.files().ready(harness.channel);
  const person = { spaceId: harness.space.spaceId, userId: harness.person.id };
  expect(await findReadyFilesOf(api.db, person, [mine, uploading, ofBot])).toEqual([mine]);
  expect(await findReadyFilesOf(api.db, { ...person, userId: harness.space.owner.id }, [mine])).toEqual([]);
});

test('it is removed after a day, with its grants', async () => {
  const id = await ready();
  const { spaceId } = harness.space;
  await grantFiles(api.db, { spaceId, botId: harness.bot.botId, conversationId: harness.channel }, [id]);
  await api.db.query(`UPDATE files SET created_at = now() - interval '25 hours' WHERE id = $1`, [id]);
  expect(await dropUnattached(api.db)).toBeGreaterThanOrEqual(1);
  expect((await harness.download(id)).status).toBe(404);
  expect(await api.db.query('SELECT 1 FROM file_grants WHERE file_id = $1', [id])).toEqual([]);
});

test('messages and uploads of a person share one counter while the rate limiter store is unavailable', async () => {
  const own = await startFilesApi(storage, { RATE_USER_WRITES_PER_SECOND: '2' });
  const { space, chat } = await FilesHarness.of(own);
  await own.app.get(RateLimiter, { strict: false }).close();
  // Another person for each attempt, because on a busy machine one may take more than a second.
  await eventually(async () => {
    const { id, token } = await space.person('member');
    const channel = await chat.conversation({ members: [{ id, type: 'user' }] });
    const file = { conversation_id: channel, file_name: 'a.txt', file_size: 5, mime_type: 'text/plain' };
    const calls = [
      { path: `/conversations/${channel}/messages`, body: { text: 'a' } },
      { path: `/conversations/${channel}/messages`, body: { text: 'b' } },
      { path: '/files/upload_sessions', body: file },
    ];
    const statuses: number[] = [];
    for (const { path, body } of calls)
      statuses.push((await own.call('POST', `/api/v1/client${path}`, { token, body })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
  await own.close();
});
