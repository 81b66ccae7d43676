import { DeleteMessage, EditMessage } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { CheckAttachments } from './check-attachments.js';
import type { CheckResult } from './check-attachments.js';
import { FileLookup } from './file-lookup.js';
import { FilesHarness, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;

beforeAll(async () => {
  storage = await TestStorage.start('s3');
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
  await api.db.query('TRUNCATE message_attachments');
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const server = () => storage.server!;
const lookUp = (ids: string[]) => new FileLookup(api.db, api.app.get(FileStorage)).lookUp(harness.bot, ids);
const check = (): Promise<CheckResult> =>
  new CheckAttachments(api.db, api.app.get(FileStorage), api.app.get(EditMessage)).run();
const makeDue = (age = '0 seconds'): Promise<unknown> =>
  api.db.query(
    `UPDATE message_attachments SET check_at = now(), created_at = now() - $1::interval WHERE status = 'pending'`,
    [age],
  );
const updates = async (): Promise<ChatEvent[]> =>
  (await harness.chat.events())
    .map(({ payload }) => payload as ChatEvent)
    .filter(({ event_type }) => event_type === 'MESSAGE_UPDATED');

/** Posts while storage is unavailable. */
async function postedPending(ids?: string[]): Promise<{ messageId: string; ids: string[] }> {
  const files = ids ?? [
    await harness.files().ready(harness.channel),
    await harness.files().ready(harness.channel),
  ];
  await server().stop();
  const found = await lookUp(files);
  await server().start();
  const { messageId, status } = await harness.post(files, { found, text: 'see below' });
  expect(status).toBe('pending');
  return { messageId, ids: files };
}

test('storage answers: attached immediately', async () => {
  const ids = [await harness.files().ready(harness.channel), await harness.files().ready(harness.channel)];
  const found = await lookUp(ids);
  expect(found).toEqual({ missing: new Set(), undecided: new Set() });
  expect((await harness.post(ids, { found })).status).toBe('attached');
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
});

test('a file whose bytes are missing is not ready', async () => {
  const id = await harness.files().ready(harness.channel);
  await harness.files().loseBytes(id);
  const found = await lookUp([id]);
  expect(found.missing).toEqual(new Set([id]));
  await expect(harness.post([id], { found })).rejects.toMatchObject({ status: 400, text: 'file not ready' });
});

test('files that cannot be attached anyway are not checked', async () => {
  const [uploading, foreign] = [
    await harness.files().uploading(harness.channel),
    await harness.files(harness.newBot()).ready(harness.channel),
  ];
  await harness.files().loseBytes(foreign);
  expect(await lookUp([uploading, foreign])).toEqual({ missing: new Set(), undecided: new Set() });
});

test('a request does not wait long for storage that does not answer', async () => {
  const ids = await Promise.all(Array.from({ length: 15 }, () => harness.files().ready(harness.channel)));
  server().pause();
  try {
    const since = performance.now();
    expect((await lookUp(ids)).undecided.size).toBe(15);
    // The storage client itself would wait for ten seconds.
    expect(performance.now() - since).toBeLessThan(8000);
  } finally {
    server().resume();
  }
});

test('files are posted as pending while storage is unavailable, and attached with an event afterwards', async () => {
  const { messageId, ids } = await postedPending();
  expect(await harness.read(messageId)).toMatchObject({
    text: 'see below',
    attachment_status: 'pending',
    attachments: ids.map((file_id) => ({ file_id, message_id: '' })),
  });
  await expect(harness.post(ids)).rejects.toMatchObject({ text: 'file already attached' });
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
  await makeDue();
  expect(await check()).toEqual({ attached: 1, failed: 0, postponed: 0 });
  const shown = {
    text: 'see below',
    attachment_status: 'attached',
    attachments: ids.map((file_id) => ({ file_id, message_id: messageId })),
  };
  expect(await harness.read(messageId)).toMatchObject(shown);
  const [event, ...more] = await updates();
  expect([more, event]).toEqual([
    [],
    expect.objectContaining({
      actor_id: harness.bot.botId,
      message: expect.objectContaining({
        id: messageId,
        ...shown,
        attachments: [
          expect.objectContaining(shown.attachments[0]),
          expect.objectContaining(shown.attachments[1]),
        ],
      }),
    }),
  ]);
  expect((await harness.downloadAs(harness.person, ids[0]!)).status).toBe(200);
});

test('storage still unavailable: checked again at growing intervals', async () => {
  const { messageId } = await postedPending();
  const waits: number[] = [];
  await server().stop();
  for (let n = 0; n < 8; n += 1) {
    await makeDue();
    expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 1 });
    const [row] = await readRows<{ wait: number }>(
      api.db,
      'SELECT round(extract(epoch FROM check_at - clock_timestamp()))::int AS wait FROM message_attachments',
    );
    waits.push(row!.wait);
  }
  await server().start();
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  expect(await harness.read(messageId)).toMatchObject({ attachment_status: 'pending' });
  expect(await updates()).toEqual([]);
});

test.each<[string, (ids: string[]) => Promise<unknown>]>([
  [
    'one of its files is missing',
    async (ids) => {
      await harness.files().loseBytes(ids[1]!);
      await makeDue();
    },
  ],
  [
    'storage has not answered for 24 hours',
    async () => {
      await server().stop();
      await makeDue('25 hours');
    },
  ],
])('%s: failed, and the message loses its files', async (_, happen) => {
  const { messageId, ids } = await postedPending();
  await happen(ids);
  expect(await check()).toEqual({ attached: 0, failed: 1, postponed: 0 });
  await server().stop();
  await server().start();
  expect(await harness.read(messageId)).toMatchObject({
    text: 'see below',
    attachment_status: 'failed',
    attachments: [],
  });
  expect((await updates()).map(({ message }) => [message?.attachment_status, message?.attachments])).toEqual([
    ['failed', []],
  ]);
  expect((await harness.download(ids[0]!)).status).toBe(404);
  expect(await api.db.query('SELECT 1 FROM file_removals WHERE file_id = ANY($1)', [ids])).toHaveLength(2);
  await makeDue();
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
});

test('several workers emit one event', async () => {
  await postedPending();
  await makeDue();
  const results = await Promise.all(Array.from({ length: 6 }, check));
  expect(results.reduce((sum, { attached }) => sum + attached, 0)).toBe(1);
  expect(await updates()).toHaveLength(1);
});

test('a worker that was slower than its lease emits no second event', async () => {
  await postedPending();
  const attempts = (n: number): Promise<void> =>
    eventually(async () =>
      expect(await api.db.query('SELECT attempts FROM message_attachments')).toEqual([{ attempts: n }]),
    );
  server().pause();
  await makeDue();
  const slow = check();
  await attempts(1);
  await makeDue();
  const other = check();
  await attempts(2);
  server().resume();
  expect([await slow, await other].map(({ attached }) => attached).sort()).toEqual([0, 1]);
  expect(await updates()).toHaveLength(1);
});

test('a message that is deleted in between stays deleted', async () => {
  const { messageId } = await postedPending();
  await makeDue();
  const remove = runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: harness.space.spaceId, messageId, actor: { id: harness.bot.botId, type: 'bot' } }),
  );
  await Promise.all([remove, check()]);
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
  expect(await harness.read(messageId)).toMatchObject({
    text: '',
    attachment_status: 'none',
    attachments: [],
    deleted_at: expect.any(String),
  });
  expect(await api.db.query('SELECT 1 FROM message_attachments')).toEqual([]);
});
