import { DeleteMessage, EditMessage } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { checkAttachments } from './check-attachments.js';
import type { CheckResult } from './check-attachments.js';
import { FileLookup } from './file-lookup.js';
import { FilesRig, startFilesApi, TestStorage } from '../testing/index.js';

let storage: TestStorage;
let api: TestApi;
let rig: FilesRig;

beforeAll(async () => {
  storage = await TestStorage.start('s3');
  api = await startFilesApi(storage);
});
beforeEach(async () => {
  rig = await FilesRig.of(api);
  await api.db.query('TRUNCATE message_attachments');
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const server = () => storage.server!;
const lookUp = (ids: string[]) => new FileLookup(api.db, api.app.get(FileStorage)).lookUp(rig.bot, ids);
const check = (): Promise<CheckResult> =>
  checkAttachments(api.db, api.app.get(FileStorage), api.app.get(EditMessage));
const makeDue = (age = '0 seconds'): Promise<unknown> =>
  api.db.query(
    `UPDATE message_attachments SET check_at = now(), created_at = now() - $1::interval WHERE status = 'pending'`,
    [age],
  );
const updates = async (): Promise<ChatEvent[]> =>
  (await rig.chat.events())
    .map(({ payload }) => payload as ChatEvent)
    .filter(({ event_type }) => event_type === 'MESSAGE_UPDATED');

/** Posts while the store is away. */
async function postedPending(ids?: string[]): Promise<{ messageId: string; ids: string[] }> {
  const files = ids ?? [await rig.files().ready(rig.channel), await rig.files().ready(rig.channel)];
  await server().stop();
  const found = await lookUp(files);
  await server().start();
  const { messageId, status } = await rig.post(files, { found, text: 'see below' });
  expect(status).toBe('pending');
  return { messageId, ids: files };
}

test('a store that answers: attached at once', async () => {
  const ids = [await rig.files().ready(rig.channel), await rig.files().ready(rig.channel)];
  const found = await lookUp(ids);
  expect(found).toEqual({ missing: new Set(), undecided: new Set() });
  expect((await rig.post(ids, { found })).status).toBe('attached');
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
});

test('a file whose bytes are gone is not ready', async () => {
  const id = await rig.files().ready(rig.channel);
  await rig.files().loseBytes(id);
  const found = await lookUp([id]);
  expect(found.missing).toEqual(new Set([id]));
  await expect(rig.post([id], { found })).rejects.toMatchObject({ status: 400, text: 'file not ready' });
});

test('files that cannot be attached anyway are not asked for', async () => {
  const [uploading, foreign] = [
    await rig.files().uploading(rig.channel),
    await rig.files(rig.newBot()).ready(rig.channel),
  ];
  await rig.files().loseBytes(foreign);
  expect(await lookUp([uploading, foreign])).toEqual({ missing: new Set(), undecided: new Set() });
});

test('nobody waits long for a silent store', async () => {
  const ids = await Promise.all(Array.from({ length: 15 }, () => rig.files().ready(rig.channel)));
  server().pause();
  try {
    const since = performance.now();
    expect((await lookUp(ids)).undecided.size).toBe(15);
    expect(performance.now() - since).toBeLessThan(4000);
  } finally {
    server().resume();
  }
});

test('away: the message is there, pending; back: attached, and everybody is told', async () => {
  const { messageId, ids } = await postedPending();
  expect(await rig.read(messageId)).toMatchObject({
    text: 'see below',
    attachment_status: 'pending',
    attachments: ids.map((file_id) => ({ file_id, message_id: '' })),
  });
  await expect(rig.post(ids)).rejects.toMatchObject({ text: 'file already attached' });
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
  await makeDue();
  expect(await check()).toEqual({ attached: 1, failed: 0, postponed: 0 });
  const shown = {
    text: 'see below',
    attachment_status: 'attached',
    attachments: ids.map((file_id) => ({ file_id, message_id: messageId })),
  };
  expect(await rig.read(messageId)).toMatchObject(shown);
  const [event, ...more] = await updates();
  expect([more, event]).toEqual([
    [],
    expect.objectContaining({
      actor_id: rig.bot.botId,
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
  expect((await rig.downloadAs(rig.person, ids[0]!)).status).toBe(200);
});

test('still away: asked again later, ever more rarely', async () => {
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
  expect(await rig.read(messageId)).toMatchObject({ attachment_status: 'pending' });
  expect(await updates()).toEqual([]);
});

test.each<[string, (ids: string[]) => Promise<unknown>]>([
  [
    'one of its files is really gone',
    async (ids) => {
      await rig.files().loseBytes(ids[1]!);
      await makeDue();
    },
  ],
  [
    'the store was silent for 24 hours',
    async () => {
      await server().stop();
      await makeDue('25 hours');
    },
  ],
])('%s: failed, and the message loses them', async (_, happen) => {
  const { messageId, ids } = await postedPending();
  await happen(ids);
  expect(await check()).toEqual({ attached: 0, failed: 1, postponed: 0 });
  await server().stop();
  await server().start();
  expect(await rig.read(messageId)).toMatchObject({
    text: 'see below',
    attachment_status: 'failed',
    attachments: [],
  });
  expect((await updates()).map(({ message }) => [message?.attachment_status, message?.attachments])).toEqual([
    ['failed', []],
  ]);
  expect((await rig.download(ids[0]!)).status).toBe(404);
  expect(await api.db.query('SELECT 1 FROM file_removals WHERE file_id = ANY($1)', [ids])).toHaveLength(2);
  await makeDue();
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
});

test('several workers tell once', async () => {
  await postedPending();
  await makeDue();
  const results = await Promise.all(Array.from({ length: 6 }, check));
  expect(results.reduce((sum, { attached }) => sum + attached, 0)).toBe(1);
  expect(await updates()).toHaveLength(1);
});

test('a worker that was slower than its claim lasts tells nothing twice', async () => {
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

test('a message that is deleted meanwhile stays deleted', async () => {
  const { messageId } = await postedPending();
  await makeDue();
  const remove = runInWorkerTx(api.db, (tx) =>
    api.app
      .get(DeleteMessage)
      .in(tx, { spaceId: rig.space.spaceId, messageId, actor: { id: rig.bot.botId, type: 'bot' } }),
  );
  await Promise.all([remove, check()]);
  expect(await check()).toEqual({ attached: 0, failed: 0, postponed: 0 });
  expect(await rig.read(messageId)).toMatchObject({
    text: '',
    attachment_status: 'none',
    attachments: [],
    deleted_at: expect.any(String),
  });
  expect(await api.db.query('SELECT 1 FROM message_attachments')).toEqual([]);
});
