import { DeleteMessage } from '@tieline/conversations';
import { MessageAttachmentsModule } from '@tieline/files';
import { FilesFixture, TestStorage } from '@tieline/files/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

let storage: TestStorage;
let api: TestApi;
let fx: RunsFixture;
let files: FilesFixture;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startRunsApi(storage.env, [MessageAttachmentsModule]);
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
  files = FilesFixture.of(api, { spaceId: fx.tasks.space.spaceId, botId: fx.tasks.bot.id });
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const complete = (id: string, fileIds: string[], more: Record<string, unknown> = {}): Promise<TestAnswer> =>
  fx.patch(id, {
    status: 'completed',
    sequence: 2,
    public_text: 'see the files',
    attachments: fileIds.map((file_id) => ({ file_id })),
    ...more,
  });
/** Deletes a message as an admin, because the bot may not while its run is unfinished. */
const remove = (messageId: string): Promise<unknown> =>
  runInWorkerTx(api.db, (tx) =>
    api.app.get(DeleteMessage).in(tx, {
      spaceId: fx.tasks.space.spaceId,
      messageId,
      actor: { id: fx.tasks.person.id, type: 'user' },
      role: 'admin',
    }),
  );

test('final files are attached to the placeholder, sent with its edit, and added to the linked task', async () => {
  const ids = [
    await files.ready(fx.tasks.channel, { fileName: 'b.pdf' }),
    await files.ready(fx.tasks.channel, { fileName: 'a.pdf' }),
  ];
  const { widget_id } = await fx.tasks.task();
  const run = await fx.run({ widget_id });
  const { status, body } = await complete(
    run.id,
    ids.map((id) => id.toUpperCase()),
  );
  expect([status, body.agent_run]).toMatchObject([
    200,
    { attachments: ids.map((file_id) => ({ file_id })), attachment_status: 'attached' },
  ]);
  const history = await api.call('GET', `/api/v1/channels/${fx.tasks.channel}/messages`, {
    token: fx.tasks.person.token,
  });
  const message = history.body.messages.find(({ id }: { id: string }) => id === run.message_id);
  expect(message).toMatchObject({
    text: 'see the files',
    attachment_status: 'attached',
    attachments: ids.map((file_id) => ({ file_id, message_id: run.message_id })),
  });
  const [event] = await fx.tasks.events<{ message: object }>('MESSAGE_UPDATED');
  expect(event?.message).toMatchObject({ id: run.message_id, attachments: message.attachments });
  const { execution_task: task } = (await fx.tasks.call('GET', `/execution_tasks/${widget_id}`)).body;
  expect(task).toMatchObject({
    status: 'completed',
    artifacts: [
      { file_id: ids[0], file_name: 'b.pdf', mime_type: 'application/pdf' },
      { file_id: ids[1], file_name: 'a.pdf' },
    ],
  });
  // A repeat does not attach them again.
  expect((await complete(run.id, ids)).body).toEqual(body);
});

test('accepts 15 files; 400 for more, duplicates and malformed ids', async () => {
  const run = await fx.run();
  const many = Array.from({ length: 16 }, (_, n) => UNKNOWN.replace('ffff', (0x1000 + n).toString(16)));
  const malformed = [{}, { file_id: 5 }, null, 'x', { file_id: 'x' }];
  expect((await complete(run.id, many)).status).toBe(400);
  expect((await complete(run.id, [UNKNOWN, UNKNOWN.toUpperCase()])).status).toBe(400);
  for (const attachment of malformed)
    expect((await complete(run.id, [], { attachments: [attachment] })).status).toBe(400);
  for (const attachments of [{}, 'x', 5])
    expect((await complete(run.id, [], { attachments })).status).toBe(400);
  const ready = [];
  for (let n = 0; n < 15; n += 1) ready.push(await files.ready(fx.tasks.channel));
  expect((await complete(run.id, ready)).body.agent_run.attachments).toHaveLength(15);
});

test("403 for unknown, other conversations' and other bots' files; 400 for files not ready, attached or lost; the run continues", async () => {
  const { widget_id } = await fx.tasks.task();
  const run = await fx.run({ widget_id });
  const foreign = await FilesFixture.of(api, {
    spaceId: fx.tasks.space.spaceId,
    botId: fx.tasks.newBot().id,
  }).ready(fx.tasks.channel);
  const elsewhere = await files.ready(await fx.tasks.conversation());
  const used = await files.ready(fx.tasks.channel);
  expect((await complete((await fx.run()).id, [used])).status).toBe(200);
  const lost = await files.ready(fx.tasks.channel);
  await files.loseBytes(lost);
  const good = await files.ready(fx.tasks.channel);
  for (const [id, expected] of [
    [UNKNOWN, 403],
    [foreign, 403],
    [elsewhere, 403],
    [await files.uploading(fx.tasks.channel), 400],
    [used, 400],
    [lost, 400],
  ] as const) {
    expect([id, (await complete(run.id, [good, id])).status]).toEqual([id, expected]);
  }
  expect((await fx.get(run.id)).body.agent_run).toMatchObject({
    status: 'accepted',
    sequence: 1,
    attachments: [],
    attachment_status: 'none',
  });
  expect((await fx.tasks.call('GET', `/execution_tasks/${widget_id}`)).body.execution_task).toMatchObject({
    status: 'open',
    sequence: 1,
    artifacts: [],
  });
  expect((await complete(run.id, [good])).status).toBe(200);
});

test('files of the channel can be attached by a run in its thread', async () => {
  const run = await fx.run({ parent_message_id: fx.trigger });
  expect((await complete(run.id, [await files.ready(fx.tasks.channel)])).body.agent_run).toMatchObject({
    attachment_status: 'attached',
  });
});

test('with a deleted placeholder the files are checked and listed but not attached', async () => {
  const { widget_id } = await fx.tasks.task();
  const run = await fx.run({ widget_id });
  const id = await files.ready(fx.tasks.channel);
  await remove(run.message_id);
  expect((await complete(run.id, [UNKNOWN])).status).toBe(403);
  expect((await complete(run.id, [id])).body.agent_run).toMatchObject({
    status: 'completed',
    attachments: [{ file_id: id }],
    attachment_status: 'failed',
  });
  expect(
    (await fx.tasks.call('GET', `/execution_tasks/${widget_id}`)).body.execution_task.artifacts,
  ).toMatchObject([{ file_id: id }]);
});

test('a concurrently deleted placeholder leaves no attached files', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [run, id] = [await fx.run(), await files.ready(fx.tasks.channel)];
    const [response] = await Promise.all([complete(run.id, [id]), remove(run.message_id)]);
    expect([
      response.status,
      ['attached', 'failed'].includes(response.body.agent_run.attachment_status),
    ]).toEqual([200, true]);
    expect(await api.db.query('SELECT 1 FROM files WHERE message_id = $1', [run.message_id])).toEqual([]);
    expect(
      await api.db.query('SELECT 1 FROM message_attachments WHERE message_id = $1', [run.message_id]),
    ).toEqual([]);
  }
});

test('a bot removed from the conversation cannot attach files', async () => {
  const [run, id] = [await fx.run(), await files.ready(fx.tasks.channel)];
  await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
    fx.tasks.channel,
    fx.tasks.bot.id,
  ]);
  expect(await complete(run.id, [id])).toMatchObject({
    status: 403,
    body: { error: 'bot not in conversation' },
  });
  expect((await fx.get(run.id)).body.agent_run).toMatchObject({
    status: 'accepted',
    attachment_status: 'none',
  });
});
