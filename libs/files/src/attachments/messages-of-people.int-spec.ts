import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import type { ChatEvent } from '@tieline/conversations';
import { chatEvents, EditMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { readRows } from '@tieline/testing';
import { FileStorage } from '@tieline/storage';
import { dropUnattached } from '../removal/drop-files.js';
import { FilesHarness, sendBytes, startFilesApi, TestStorage } from '../testing/index.js';
import { CheckAttachments } from './check-attachments.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';

let storage: TestStorage;
let api: TestApi;
let harness: FilesHarness;
beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { RATE_USER_WRITES_PER_SECOND: '1000' });
});
beforeEach(async () => {
  harness = await FilesHarness.of(api);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const outcome = ({ status, body }: TestAnswer) => [status, body.code];
const files = (...ids: string[]) => ids.map((id) => ({ file_id: id }));
const call = (method: string, path: string, body: unknown, as: { token: string } = harness.person) =>
  api.call(method, `/api/v1/client${path}`, { token: as.token, body });
const send = (body: object, { to = harness.channel, as }: { to?: string; as?: SeededPerson } = {}) =>
  call('POST', `/conversations/${to}/messages`, body, as);
const once = (body: object, key: string) =>
  api.call('POST', `/api/v1/client/conversations/${harness.channel}/messages`, {
    token: harness.person.token,
    body,
    headers: { 'Idempotency-Key': key },
  });

/** Uploads a file of the person through the endpoints. */
async function upload({
  to = harness.channel,
  as = harness.person,
  isConfirmed = true,
} = {}): Promise<string> {
  const named = { conversation_id: to, file_name: 'a.txt', file_size: 5, mime_type: 'text/plain' };
  const { body } = await call('POST', '/files/upload_sessions', named, as);
  if (!isConfirmed) return body.file.file_id;
  await sendBytes(api, body.upload, Buffer.from('hello'));
  await call('POST', `/files/${body.file.file_id}/confirm`, {}, as);
  return body.file.file_id;
}

test('files of a person appear with a message: in its response, in history, in the event, and for members', async () => {
  const [first, second] = [await upload(), await upload()];
  const { status, body } = await send({ text: 'both', attachments: files(second!, first!) });
  expect([status, body]).toEqual([
    200,
    { ok: true, message_id: expect.any(String), msg_index: 1, attachment_status: 'attached' },
  ]);
  const read = await harness.read(body.message_id);
  expect(read).toMatchObject({
    text: 'both',
    author_id: harness.person.id,
    author_type: 'user',
    attachment_status: 'attached',
    attachments: [
      { file_id: second, message_id: body.message_id, file_name: 'a.txt' },
      { file_id: first, message_id: body.message_id },
    ],
  });
  const [event] = (await harness.chat.events()).map(({ payload }) => payload as ChatEvent);
  expect(event?.message?.attachments).toEqual(read.attachments);
  expect((await harness.downloadAs(harness.person, first!)).status).toBe(200);
  expect((await harness.downloadAs(harness.space.owner, first!)).status).toBe(403);
});

test('text is optional with files, and only then', async () => {
  const id = await upload();
  for (const body of [{ text: ' ' }, { text: '', attachments: [] }, {}, { attachments: null }])
    expect(outcome(await send(body))).toEqual([400, 'invalid_field']);
  const { body } = await send({ attachments: files(id) });
  expect(await harness.read(body.message_id)).toMatchObject({ text: '', attachments: [{ file_id: id }] });
  expect((await send({ text: '', attachments: files(await upload()) })).status).toBe(200);
});

test('a file of the channel can be attached to a reply in one of its threads', async () => {
  const { body: root } = await send({ text: 'root' });
  const id = await upload();
  const { body } = await send({ attachments: files(id), parent_message_id: root.message_id });
  const { body: thread } = await api.call(
    'GET',
    `/api/v1/channels/${harness.channel}/messages?thread_id=${root.message_id}`,
    { token: harness.person.token },
  );
  expect(thread.messages).toMatchObject([{ id: body.message_id, attachments: [{ file_id: id }] }]);
});

describe('refused, and nothing is written', () => {
  test.each<[string, () => Promise<TestAnswer>, [number, string]]>([
    ['an unknown file', async () => send({ attachments: files(UNKNOWN) }), [403, 'file_not_available']],
    [
      'a file of another person',
      async () => {
        const ben = await harness.space.person('member', 'Ben');
        await api.db.query(
          `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user')`,
          [harness.space.spaceId, harness.channel, ben.id],
        );
        return send({ attachments: files(await upload({ as: ben })) });
      },
      [403, 'file_not_available'],
    ],
    [
      'a file of a bot',
      async () => send({ attachments: files(await harness.files().ready(harness.channel)) }),
      [403, 'file_not_available'],
    ],
    [
      'a file of another conversation',
      async () => send({ attachments: files(await upload({ to: await harness.conversation() })) }),
      [403, 'file_not_available'],
    ],
    [
      'a file without bytes',
      async () => send({ attachments: files(await upload({ isConfirmed: false })) }),
      [400, 'file_not_ready'],
    ],
    [
      'a file whose bytes are missing',
      async () => {
        const id = await upload();
        await harness.files().loseBytes(id);
        return send({ attachments: files(id) });
      },
      [400, 'file_not_ready'],
    ],
    [
      'the same file twice',
      async () => {
        const id = await upload();
        return send({ attachments: files(id, id.toUpperCase()) });
      },
      [400, 'invalid_field'],
    ],
    [
      'sixteen',
      async () => send({ attachments: Array.from({ length: 16 }, () => ({ file_id: UNKNOWN })) }),
      [400, 'invalid_field'],
    ],
    ['no list', async () => send({ text: 'a', attachments: 'b' }), [400, 'invalid_field']],
    ['no ids', async () => send({ text: 'a', attachments: [null] }), [400, 'invalid_field']],
    [
      'a conversation of others',
      async () =>
        send({ attachments: files(await upload()) }, { as: await harness.space.person('member', 'Ben') }),
      [403, 'not_a_member'],
    ],
    [
      'an archived conversation',
      async () => {
        const id = await upload();
        await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [harness.channel]);
        return send({ attachments: files(id) });
      },
      [403, 'conversation_archived'],
    ],
  ])('%s', async (_, act, expected) => {
    expect(outcome(await act())).toEqual(expected);
    expect(
      await api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [harness.channel]),
    ).toEqual([]);
    expect(
      await api.db.query('SELECT 1 FROM files WHERE space_id = $1 AND message_id IS NOT NULL', [
        harness.space.spaceId,
      ]),
    ).toEqual([]);
  });
});

test('a file is attached to one message; a repeat with the same key is the same message', async () => {
  const id = await upload();
  const message = { text: 'once', attachments: files(id) };
  const first = await once(message, 'k');
  const again = await once(message, 'k');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await once({ text: 'once', attachments: files(await upload()) }, 'k')).status).toBe(409);
  expect(outcome(await send(message))).toEqual([400, 'file_already_attached']);
});

test('storage that does not answer is checked again, and the message is edited in the name of its author', async () => {
  const id = await upload();
  await send({ text: 'later', attachments: files(id) });
  await api.db.query(
    `UPDATE message_attachments SET status = 'pending', check_at = now() WHERE space_id = $1`,
    [harness.space.spaceId],
  );
  expect(
    await new CheckAttachments(api.db, api.app.get(FileStorage), api.app.get(EditMessage)).run(),
  ).toMatchObject({
    attached: 1,
  });
  const event = (await harness.chat.events()).map(({ payload }) => payload as ChatEvent).at(-1);
  expect(event).toMatchObject({
    ...{ actor_id: harness.person.id, actor_type: 'user' },
    message: { attachment_status: 'attached' },
  });
});

test('a worker of the previous version, which only knows files of bots, settles those of a person, and the event names the author', async () => {
  const id = await upload();
  const { message_id: messageId } = (await send({ attachments: files(id) })).body;
  const { spaceId } = harness.space;
  await runInWorkerTx(api.db, async (tx) => {
    const settled = `UPDATE message_attachments SET status = 'attached', check_at = NULL WHERE space_id = $1 AND message_id = $2 RETURNING bot_id`;
    const [{ bot_id: botId }] = (await tx.query(settled, [spaceId, messageId])) as [{ bot_id: string }];
    const editor = { id: botId, type: 'bot' } as const;
    await api.app.get(EditMessage).in(tx, { spaceId, messageId, editor, access: 'granted' });
  });
  const event = (await harness.chat.events()).map(({ payload }) => payload as ChatEvent).at(-1) as ChatEvent;
  expect(event).toMatchObject({ actor_id: null, message: { attachments: [{ file_id: id }] } });
  expect(JSON.parse(chatEvents.envelopeOf(event))).toMatchObject({
    event_type: 'MESSAGE_UPDATED',
    data: expect.objectContaining({ changes: ['attachments'] }),
    actor_user_id: harness.person.id,
  });
});

test('a bot that is a member downloads a file after a person sent it; others do not', async () => {
  const id = await upload();
  expect((await harness.download(id)).status).toBe(404);
  await send({ attachments: files(id) });
  expect((await harness.download(id)).body).toMatchObject({ ok: true, file_id: id });
  expect((await harness.download(id, await harness.conversation())).status).toBe(404);
  expect((await harness.download(id, harness.channel, harness.newBot().token)).status).toBe(404);
  const open = await harness.conversation({
    scope: 'public',
    members: [{ id: harness.person.id, type: 'user' }],
  });
  const shown = await upload({ to: open });
  await send({ attachments: files(shown) }, { to: open });
  expect((await harness.download(shown, open)).status).toBe(404);
});

test('a sent file stays after a day, and is deleted with its message', async () => {
  const id = await upload();
  const { body } = await send({ attachments: files(id) });
  await api.db.query(`UPDATE files SET created_at = now() - interval '25 hours' WHERE id = $1`, [id]);
  await dropUnattached(api.db);
  const rows = () => readRows(api.db, 'SELECT id FROM files WHERE id = $1', [id]);
  expect(await rows()).toHaveLength(1);
  expect((await call('DELETE', `/messages/${body.message_id}`, undefined)).status).toBe(200);
  expect(await rows()).toEqual([]);
});
