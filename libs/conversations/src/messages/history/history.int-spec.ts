import { TokenResolvers } from '@tieline/platform/http';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { MessageAttachments } from '../../ports/message-attachments.js';
import { MetadataVisibility } from '../../ports/metadata-visibility.js';
import { BOTS, ChatSpace, startChatApi, UNKNOWN } from '../../testing/chat-api.js';
import { supply } from '../../testing/stubs.js';

const [BOT, OTHER_BOT] = BOTS as [string, string];
const bot = { id: BOT, type: 'bot' as const };

// Stubs for the libs above, which provide the real ones.
const narrowed: string[] = [];
const files = new Map<string, object>();
const attachments: MessageAttachments = {
  of: async (_q, _space, ids) =>
    new Map(
      ids
        .filter((id) => files.has(id))
        .map((id) => [id, { records: [files.get(id) as object], status: 'attached' as const }]),
    ),
  drop: async (_tx, _space, id) => void files.delete(id),
};
const visibility: MetadataVisibility = {
  of:
    (json, { author_id }) =>
    (viewer) =>
      json === '{}' ? undefined : `${viewer.type} ${viewer.id === author_id ? 'author' : 'reader'}`,
};

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, guest: SeededPerson;
beforeAll(async () => {
  const ports = supply(
    { provide: MessageAttachments, useValue: attachments },
    { provide: MetadataVisibility, useValue: visibility },
  );
  api = await startChatApi({}, [ports]);
  api.app.get(TokenResolvers).register('tlb_', async (token) => ({
    kind: 'bot',
    botId: token === 'tlb_other' ? OTHER_BOT : BOT,
    spaceId: scene.space.spaceId,
    channelIds: narrowed,
    scopes: 'all',
  }));
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob, guest } = scene.people);
  narrowed.splice(0);
});

const asBot = (id: string, query = '', token = 'tlb_x') =>
  api.call('GET', `/api/v1/channels/${id}/messages${query}`, { token });
const author = () => ({ id: ann.id, type: 'user' as const });

/** Returns the indexes of a page, and whether there is more before and after. */
async function page(id: string, query: string): Promise<[number[], boolean, boolean]> {
  const { status, body } = await scene.history(ann, id, query);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return [
    body.messages.map((message: { msg_index: number }) => message.msg_index),
    body.has_more_before,
    body.has_more_after,
  ];
}

async function filled(count: number): Promise<string> {
  const id = await scene.channel();
  for (let n = 1; n <= count; n += 1) await scene.chat.post(id, author(), `${n}`);
  return id;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('cursors', () => {
  test('of ten messages', async () => {
    const id = await filled(10);
    const expected: Record<string, [number[], boolean, boolean]> = {
      '': [range(1, 10), false, false],
      '?limit=4': [range(7, 10), true, false],
      '?limit=10': [range(1, 10), false, false],
      '?before_msg_index=4': [[1, 2, 3], false, true],
      '?before_msg_index=4&limit=2': [[2, 3], true, true],
      '?before_msg_index=1': [[], false, true],
      '?before_msg_index=0': [[], false, true],
      '?before_msg_index=99&limit=3': [[8, 9, 10], true, false],
      '?before_msg_index=9223372036854775807&limit=3': [[8, 9, 10], true, false],
      '?around_msg_index=9223372036854775807&limit=5': [[9, 10], true, false],
      '?after_msg_index=9223372036854775807': [[], true, false],
      '?after_msg_index=0&limit=3': [[1, 2, 3], false, true],
      '?after_msg_index=7': [[8, 9, 10], true, false],
      '?after_msg_index=7&limit=2': [[8, 9], true, true],
      '?after_msg_index=10': [[], true, false],
      '?after_msg_index=99': [[], true, false],
      '?around_msg_index=5&limit=5': [[3, 4, 5, 6, 7], true, true],
      '?around_msg_index=5&limit=4': [[4, 5, 6, 7], true, true],
      '?around_msg_index=5&limit=1': [[5], true, true],
      '?around_msg_index=1&limit=5': [[1, 2, 3], false, true],
      '?around_msg_index=10&limit=5': [[8, 9, 10], true, false],
      '?around_msg_index=99&limit=5': [[9, 10], true, false],
      '?around_msg_index=5': [range(1, 10), false, false],
      '?before_msg_index=&after_msg_index=9': [[10], true, false],
    };
    for (const [query, answer] of Object.entries(expected))
      expect([query, await page(id, query)]).toEqual([query, answer]);
  });

  test('limit is 50 by default and at most 200', async () => {
    const id = await filled(0);
    await api.db.query(
      `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
       SELECT $1, gen_random_uuid(), $2, n, $3, 'user', '', now() FROM generate_series(1, 210) n`,
      [scene.space.spaceId, id, ann.id],
    );
    expect(await page(id, '')).toEqual([range(161, 210), true, false]);
    expect(await page(id, '?limit=200')).toEqual([range(11, 210), true, false]);
    expect(await page(id, '?around_msg_index=100')).toEqual([range(76, 125), true, true]);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1.5',
    'before_msg_index=x',
    'before_msg_index=-1',
    'after_msg_index=1.5',
    'around_msg_index=1e3',
    'before_msg_index=1&after_msg_index=1',
    'after_msg_index=0&around_msg_index=0',
    'before_msg_index=1&before_msg_index=2',
    'thread_id=x',
    'updated_since=yesterday',
    'updated_since=2026-02-30T00:00:00Z',
  ])('%s gets 400', async (query) => {
    expect(await scene.history(ann, await scene.channel(), `?${query}`)).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
  });
});

describe('the thread filter', () => {
  test("reads the replies, by the thread's indexes", async () => {
    const id = await filled(3);
    const [root, other] = [await scene.send(ann, id, 'root'), await scene.send(ann, id, 'without replies')];
    for (let n = 1; n <= 5; n += 1) await scene.send(ann, id, `reply ${n}`, root);
    expect(await page(id, `?thread_id=${root.toUpperCase()}`)).toEqual([range(1, 5), false, false]);
    expect(await page(id, `?thread_id=${root}&before_msg_index=3&limit=1`)).toEqual([[2], true, true]);
    const { body } = await scene.history(ann, id, `?thread_id=${root}&limit=1`);
    expect(body.messages[0]).toMatchObject({ text: 'reply 5', thread_id: root, parent_message_id: root });
    expect(await page(body.messages[0].conversation_id, '')).toEqual([range(1, 5), false, false]);
    for (const nothing of [other, UNKNOWN])
      expect(await page(id, `?thread_id=${nothing}`)).toEqual([[], false, false]);
  });

  test('does not lead out of the channel', async () => {
    const [id, secret] = [
      await scene.channel({ member_ids: [bob.id] }),
      await scene.channel({ is_public: false }),
    ];
    const root = await scene.send(ann, secret, 'root');
    await scene.send(ann, secret, 'reply', root);
    expect((await scene.history(bob, id, `?thread_id=${root}`)).body.messages).toEqual([]);
  });
});

describe('updated_since', () => {
  test('returns messages sent, edited, deleted or reacted to after it', async () => {
    const id = await filled(8);
    const { body } = await scene.history(ann, id);
    const [first, second, third, , , sixth] = body.messages as { id: string; sent_at: string }[];
    const since = encodeURIComponent(sixth?.sent_at ?? '');
    expect(await page(id, `?updated_since=${since}`)).toEqual([[7, 8], false, false]);
    await scene.as(ann, 'PATCH', `/messages/${first?.id}`, { text: 'edited' });
    await scene.as(ann, 'DELETE', `/messages/${second?.id}`);
    await scene.as(ann, 'PUT', `/messages/${third?.id}/reactions/👍`);
    expect(await page(id, `?updated_since=${since}`)).toEqual([[1, 2, 3, 7, 8], false, false]);
    expect(await page(id, `?updated_since=${since}&limit=2`)).toEqual([[7, 8], true, false]);
    expect(await page(id, `?updated_since=${since}&before_msg_index=7&limit=2`)).toEqual([
      [2, 3],
      true,
      true,
    ]);
    expect(await page(id, `?updated_since=${since}&after_msg_index=8`)).toEqual([[], true, false]);
    expect(await page(id, `?updated_since=${since}&around_msg_index=3&limit=3`)).toEqual([
      [2, 3, 7],
      true,
      true,
    ]);
    expect(await page(id, '?updated_since=2999-01-01T00:00:00Z')).toEqual([[], false, false]);
    expect(await page(id, '?updated_since=2000-01-01T00:00:00%2B02:00')).toEqual([range(1, 8), false, false]);
    for (const far of ['2000-01-01T00:00:00%2B23:59', '0001-01-01T00:00:00%2B16:00'])
      expect(await page(id, `?updated_since=${far}`)).toEqual([range(1, 8), false, false]);
    expect(await page(id, '?updated_since=9999-12-31T23:59:59-23:59')).toEqual([[], false, false]);
    await scene.as(ann, 'DELETE', `/messages/${third?.id}/reactions/👍`);
    const afterwards =
      (
        await readRows<{ at: string }>(
          api.db,
          `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
        )
      )[0]?.at ?? '';
    expect(await page(id, `?updated_since=${afterwards}`)).toEqual([[], false, false]);
  });
});

test('updated_since finds a thousand changes and more in the order of the messages', async () => {
  const id = await filled(1);
  await api.db.query(
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, changed_at)
     SELECT space_id, gen_random_uuid(), conversation_id, n, author_id, author_type, text, '2026-01-01'::timestamptz + n * interval '1 second',
       CASE WHEN n % 10 > 0 THEN '2026-02-01'::timestamptz - n * interval '1 second' END
     FROM messages, generate_series(2, 1200) n WHERE conversation_id = $1`,
    [id],
  );
  await api.db.query(
    `UPDATE messages SET sent_at = '2026-01-01' WHERE conversation_id = $1 AND msg_index = 1`,
    [id],
  );
  await api.db.query('UPDATE conversations SET last_msg_index = 1200 WHERE id = $1', [id]);
  for (const since of ['2026-01-15T00:00:00Z', '2026-01-31T23:50:00Z']) {
    const newest = since < '2026-01-20' ? 1200 : 600;
    const changed = range(2, newest - 1).filter((n) => n % 10 > 0);
    const read = (more: string) => page(id, `?updated_since=${since}${more}`);
    expect(await read('')).toEqual([changed.slice(-50), true, false]);
    expect(await read('&before_msg_index=100&limit=20')).toEqual([
      range(78, 99).filter((n) => n % 10 > 0),
      true,
      true,
    ]);
    expect(await read('&after_msg_index=100&limit=9')).toEqual([range(101, 109), true, true]);
    expect(await read('&after_msg_index=1&limit=3')).toEqual([[2, 3, 4], false, true]);
  }
});

describe('read access', () => {
  test('people: everyone but guests reads public conversations, members read the others', async () => {
    const [open, closed, direct] = [
      await scene.channel(),
      await scene.channel({ is_public: false, member_ids: [guest.id] }),
      await scene.direct(ann, guest.id),
    ];
    for (const [person, id, status] of [
      [bob, open, 200],
      [guest, open, 403],
      [bob, closed, 403],
      [guest, closed, 200],
      [scene.space.owner, closed, 403],
      [bob, direct, 403],
      [guest, direct, 200],
      [bob, UNKNOWN, 404],
      [bob, 'x', 404],
    ] as const) {
      expect([id, (await scene.history(person, id)).status]).toEqual([id, status]);
    }
    const other = await ChatSpace.on(api);
    expect((await scene.history(ann, await other.channel())).status).toBe(404);
    expect((await api.call('GET', `/api/v1/channels/${open}/messages`)).status).toBe(401);
  });

  test('threads are read like their channel', async () => {
    const id = await scene.channel({ is_public: false });
    const root = await scene.send(ann, id, 'root');
    await scene.send(ann, id, 'reply', root);
    const thread = (await scene.events()).at(-1)?.conversation.id as string;
    expect((await scene.history(ann, thread)).status).toBe(200);
    expect((await scene.history(bob, thread)).status).toBe(403);
    expect((await asBot(thread)).status).toBe(403);
    await scene.as(ann, 'POST', `/conversations/${id}/members`, { member_id: BOT });
    expect((await asBot(thread)).status).toBe(200);
  });

  test('bots: public ones and their own, limited by channel_ids, which never limits their direct chats', async () => {
    const [open, closed, direct] = [
      await scene.channel(),
      await scene.channel({ is_public: false, member_ids: [BOT] }),
      await scene.direct(ann, BOT),
    ];
    const statuses = async (token?: string) => [
      (await asBot(open, '', token)).status,
      (await asBot(closed, '', token)).status,
      (await asBot(direct, '', token)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await statuses('tlb_other')).toEqual([200, 403, 403]);
    narrowed.push(closed);
    expect(await statuses()).toEqual([403, 200, 200]);
    expect((await asBot(UNKNOWN)).status).toBe(404);
  });
});

describe("a bot's history", () => {
  const ALWAYS = [
    'id',
    'message_id',
    'conversation_id',
    'author_id',
    'author_type',
    'text',
    'is_system',
    'attachments',
    'attachment_status',
    'permalink',
    'reactions',
    'msg_index',
    'sent_at',
  ];
  const keys = (message: object | undefined) => Object.keys(message ?? {}).sort();

  test('has exactly these keys: no read_receipts, edit_history, delivery_status, parent_preview, mention_details', async () => {
    const id = await scene.channel({ member_ids: [BOT, bob.id] });
    const root = await scene.send(ann, id, `<@${bob.id}> look`);
    await scene.as(bob, 'PUT', `/messages/${root}/reactions/👍`);
    await scene.as(ann, 'PATCH', `/messages/${root}`, { text: `<@${bob.id}> look again` });
    await scene.send(ann, id, 'reply', root);
    await scene.as(ann, 'DELETE', `/messages/${await scene.send(ann, id, 'gone')}`);
    await scene.chat.post(id, bot, 'rich', { metadataJson: '{"a":1}', displayName: 'Robot' });
    const { messageId: told } = await scene.chat.post(id, author(), 'by the system');
    await api.db.query(`UPDATE messages SET author_type = 'system' WHERE id = $1`, [told]);
    const { body } = await asBot(id);
    expect(keys(body)).toEqual(['has_more_after', 'has_more_before', 'messages', 'ok']);
    expect(body.messages.map(keys)).toEqual(
      [
        [...ALWAYS, 'mentions', 'edited_at'],
        [...ALWAYS, 'deleted_at'],
        [...ALWAYS, 'metadata_json', 'display_name'],
        ALWAYS,
      ].map((names) => names.toSorted()),
    );
    expect(body.messages.at(-1)).toMatchObject({ is_system: true, text: 'by the system' });
    expect(keys(body.messages[0].reactions[0])).toEqual(['emoji', 'user_ids']);
    expect((await asBot(id, `?thread_id=${root}`)).body.messages.map(keys)).toEqual([
      [...ALWAYS, 'thread_id', 'parent_message_id'].toSorted(),
    ]);
  });
});

describe('data from libs above', () => {
  test('includes the files of messages, until the messages are deleted', async () => {
    const id = await filled(2);
    const [, second] = (await scene.history(ann, id)).body.messages;
    files.set(second.id, {
      file_id: second.id,
      conversation_id: id,
      message_id: second.id,
      file_type: 'image',
      file_name: 'a.png',
      mime_type: 'image/png',
      file_size: 3,
      width: 1,
      height: 1,
      status: 'ready',
      created_at_unix: 1,
    });
    const { body } = await scene.history(ann, id);
    expect(body.messages).toMatchObject([
      { attachments: [], attachment_status: 'none' },
      { attachments: [{ file_id: second.id }], attachment_status: 'attached' },
    ]);
    await scene.as(ann, 'PATCH', `/messages/${second.id}`, { text: 'edited' });
    expect((await scene.events()).at(-1)?.message).toMatchObject({
      attachments: [{ file_id: second.id }],
      attachment_status: 'attached',
    });
    await scene.as(ann, 'DELETE', `/messages/${second.id}`);
    expect((await scene.history(ann, id)).body.messages[1]).toMatchObject({
      attachments: [],
      attachment_status: 'none',
    });
    expect(files.size).toBe(0);
  });

  test('includes the part of the metadata that each viewer may see', async () => {
    const id = await scene.channel({ member_ids: [BOT] });
    await scene.chat.post(id, bot, 'x', { metadataJson: '{"a":1}' });
    await scene.chat.post(id, bot, 'x', { metadataJson: '{}' });
    expect(
      (await asBot(id)).body.messages.map((message: { metadata_json?: string }) => message.metadata_json),
    ).toEqual(['bot author', undefined]);
    expect((await scene.history(ann, id)).body.messages[0].metadata_json).toBe('user reader');
    expect((await scene.events()).at(-2)?.message?.metadata_json).toBe('{"a":1}');
  });
});

test('a message with a thread has the number of replies and the time of the last one; replies and other messages do not', async () => {
  const id = await scene.channel();
  const root = await scene.chat.post(id, author(), 'root');
  await scene.chat.post(id, author(), 'alone');
  const reply = (parentMessageId: string) => scene.chat.post(id, author(), 'reply', { parentMessageId });
  const first = await reply(root.messageId);
  await reply(first.messageId);
  const last = await scene.chat.post(first.conversationId, author(), 'straight into the thread');
  const counts = async (query = '') =>
    (await scene.history(ann, id, query)).body.messages.map((message: Record<string, unknown>) => [
      message['text'],
      message['reply_count'],
      message['last_reply_at'],
    ]);
  expect(await counts()).toEqual([
    ['root', 3, last.sentAt],
    ['alone', undefined, undefined],
  ]);
  expect(
    new Set((await counts(`?thread_id=${root.messageId}`)).map(([, count]: unknown[]) => count)),
  ).toEqual(new Set([undefined]));
  expect((await asBot(id)).body.messages[0]).not.toHaveProperty('reply_count');
  const { body } = await scene.as(ann, 'GET', `/messages/${root.messageId}`);
  expect(body.message).toMatchObject({ reply_count: 3, last_reply_at: last.sentAt });
  expect((await scene.as(ann, 'DELETE', `/messages/${last.messageId}`)).status).toBe(200);
  expect(await counts()).toEqual([
    ['root', 3, last.sentAt],
    ['alone', undefined, undefined],
  ]);
});
