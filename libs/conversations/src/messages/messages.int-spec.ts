import { runInWorkerTx } from '@tieline/platform/database';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { seedSpace } from '@tieline/spaces/testing';
import { lockConversationOfMessage } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import { BOTS, ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';
import { editMessage } from '../testing/stubs.js';

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob, eve } = scene.people);
});

const post = (person: SeededPerson, id: string, body: unknown) =>
  scene.as(person, 'POST', `/conversations/${id}/messages`, body);
const read = async (id: string, person = ann) => (await scene.history(person, id)).body.messages;
const last = async () => (await scene.events()).at(-1);

test('one message is returned as history shows it to everyone who may read it; a deleted one is gone', async () => {
  const id = await scene.channel({ is_public: false });
  const { message_id: messageId } = (await post(ann, id, { text: 'hi' })).body;
  const get = (person: SeededPerson) => scene.as(person, 'GET', `/messages/${messageId}`);
  expect(await get(ann)).toMatchObject({ status: 200, body: { ok: true, message: (await read(id))[0] } });
  expect((await get(bob)).status).toBe(403);
  expect((await scene.as(ann, 'GET', `/messages/${UNKNOWN}`)).status).toBe(404);
  await scene.as(ann, 'DELETE', `/messages/${messageId}`);
  expect((await get(ann)).status).toBe(410);
});

describe('posting with an Idempotency-Key', () => {
  const send = (id: string, body: object, key: string, person = ann) =>
    scene.as(person, 'POST', `/conversations/${id}/messages`, body, { 'idempotency-key': key });

  test('a repeat returns the first result, also concurrently, and nothing is posted twice', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const first = await send(id, { text: 'hi <@x>' }, 'k:1');
    expect(first).toMatchObject({ status: 200, body: { message_id: expect.any(String), msg_index: 1 } });
    const again = await Promise.all(Array.from({ length: 5 }, () => send(id, { text: 'hi <@x>' }, 'k:1')));
    for (const { status, body } of again) expect([status, body]).toEqual([200, first.body]);
    expect(await read(id)).toHaveLength(1);
    expect((await send(id, { text: 'hi <@x>' }, 'k:1', bob)).body.message_id).not.toBe(first.body.message_id);
  });

  test('another text, conversation or thread with the same key gets 409, an invalid key 400', async () => {
    const id = await scene.channel();
    const { body } = await send(id, { text: 'hi' }, 'k');
    for (const other of [{ text: 'ho' }, { text: 'hi', parent_message_id: body.message_id }])
      expect(await send(id, other, 'k')).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
    expect((await send(await scene.channel(), { text: 'hi' }, 'k')).status).toBe(409);
    expect((await send(id, { text: 'hi' }, 'no key')).status).toBe(400);
  });

  test('a refused message leaves the key free', async () => {
    const id = await scene.channel();
    expect((await send(id, { text: 'hi' }, 'k', bob)).status).toBe(403);
    await scene.as(bob, 'POST', `/conversations/${id}/join`);
    expect((await send(id, { text: 'hi' }, 'k', bob)).status).toBe(200);
  });
});

describe('posting', () => {
  test('returns the id and msg_index', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    expect(await post(ann, id, { text: 'hi' })).toMatchObject({
      status: 200,
      body: { ok: true, message_id: expect.any(String), msg_index: 1 },
    });
    expect(await post(bob, id, { text: ' two\n' })).toMatchObject({ body: { msg_index: 2 } });
    expect(await read(id)).toMatchObject([
      { text: 'hi', author_id: ann.id, author_type: 'user' },
      { text: ' two\n', author_id: bob.id },
    ]);
  });

  test.each([
    [{}],
    [{ text: '' }],
    [{ text: ' \n\t\u00a0' }],
    [{ text: 7 }],
    [{ text: 'x'.repeat(4001) }],
    [{ text: 'a\0' }],
    [{ text: 'a', parent_message_id: 'x' }],
    [{ text: 'a', parent_message_id: UNKNOWN }],
  ])('%j gets 400', async (body) => {
    expect(await post(ann, await scene.channel(), body)).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
  });

  test('the limit of 4000 characters counts code points', async () => {
    const id = await scene.channel();
    expect((await post(ann, id, { text: '😀'.repeat(4000) })).status).toBe(200);
    expect(await post(ann, id, { text: '😀'.repeat(4001) })).toMatchObject({
      status: 400,
      body: { error: 'text too long (max 4000 chars)' },
    });
  });

  test('requires membership, also in public channels; unknown ids get 404', async () => {
    const id = await scene.channel();
    expect(await post(bob, id, { text: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'not a member of the conversation' },
    });
    expect((await post(bob, UNKNOWN, { text: 'x' })).status).toBe(404);
  });
});

describe('replies', () => {
  test('to a message, to a reply, and sent to the thread itself are stored in one thread', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const root = await scene.send(ann, id, 'root');
    const first = await scene.send(bob, id, 'first', root);
    const thread = (await last())?.conversation.id as string;
    await scene.send(ann, id, 'to the reply', first);
    await scene.send(ann, thread, 'thread and root', root);
    await scene.send(ann, thread, 'thread and reply', first.toUpperCase());
    expect(await read(thread)).toMatchObject(
      ['first', 'to the reply', 'thread and root', 'thread and reply'].map((text, n) => ({
        text,
        msg_index: n + 1,
        conversation_id: thread,
        thread_id: root,
        parent_message_id: root,
      })),
    );
    expect(await read(id)).toHaveLength(1);
    const event = await last();
    expect(event).toMatchObject({
      channel_id: id,
      thread_id: root,
      conversation: { id: thread, parent_conversation_id: id, root_message_id: root },
    });
    expect(Object.keys(event?.data ?? {})).toEqual([
      'message_id',
      'conversation_id',
      'author_id',
      'text',
      'msg_index',
      'sent_at',
      'thread_id',
      'parent_message_id',
      'conversation_context',
    ]);
  });

  test('a message sent directly to the thread carries neither flat field', async () => {
    const id = await scene.channel();
    const root = await scene.send(ann, id, 'root');
    await scene.send(ann, id, 'reply', root);
    const thread = (await last())?.conversation.id as string;
    await scene.send(ann, thread, 'straight');
    const event = await last();
    expect(event).toMatchObject({
      thread_id: root,
      data: {
        msg_index: 2,
        conversation_id: thread,
        conversation_context: { type: 'thread', scope: 'public', parent_conversation_id: id },
      },
    });
    for (const object of [event?.data, event?.message, (await read(thread))[1]]) {
      expect(object).not.toHaveProperty('thread_id');
      expect(object).not.toHaveProperty('parent_message_id');
    }
  });

  test('to any other message get 400 and create no thread', async () => {
    const [id, other] = [await scene.channel(), await scene.channel()];
    const elsewhere = await scene.send(ann, other, 'elsewhere');
    const reply = await scene.send(ann, other, 'reply', elsewhere);
    const [root, loose] = [await scene.send(ann, id, 'root'), await scene.send(ann, id, 'loose')];
    await scene.send(ann, id, 'reply', root);
    const thread = (await last())?.conversation.id as string;
    for (const parent of [elsewhere, reply])
      expect((await post(ann, id, { text: 'x', parent_message_id: parent })).status).toBe(400);
    expect((await post(ann, thread, { text: 'x', parent_message_id: loose })).status).toBe(400);
    expect(
      await api.db.query(`SELECT 1 FROM conversations WHERE space_id = $1 AND type = 'thread'`, [
        scene.space.spaceId,
      ]),
    ).toHaveLength(2);
  });

  test('by non-members get 403 before anything about the parent is revealed, and create no thread', async () => {
    const id = await scene.channel();
    const root = await scene.send(ann, id, 'root');
    for (const parent of [root, UNKNOWN])
      expect((await post(bob, id, { text: 'x', parent_message_id: parent })).status).toBe(403);
    expect(
      await api.db.query(`SELECT 1 FROM conversations WHERE space_id = $1 AND type = 'thread'`, [
        scene.space.spaceId,
      ]),
    ).toEqual([]);
  });

  test('20 concurrent first replies create one thread', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const root = await scene.send(ann, id, 'root');
    await Promise.all(Array.from({ length: 20 }, (_, n) => scene.send(n % 2 ? ann : bob, id, `${n}`, root)));
    const threads = new Set(
      (await scene.events())
        .filter((event) => event.thread_id === root)
        .map((event) => event.conversation.id),
    );
    expect(threads.size).toBe(1);
    expect(
      (await read([...threads][0] as string)).map((message: { msg_index: number }) => message.msg_index),
    ).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });
});

describe('mentions', () => {
  test('are the distinct people and bots of the space, in order; absent if there are none', async () => {
    const id = await scene.channel();
    const stranger = await (await seedSpace(api.db)).person('member');
    await scene.send(
      ann,
      id,
      `<@${BOTS[0]}> and <@${bob.id.toUpperCase()}>, not <@${stranger.id}> or <@${UNKNOWN}>, <@${bob.id}> again`,
    );
    const event = await last();
    expect(event?.data).toMatchObject({ mentions: [BOTS[0], bob.id] });
    expect(Object.keys(event?.data ?? {}).slice(5, 8)).toEqual([
      'sent_at',
      'mentions',
      'conversation_context',
    ]);
    expect((await read(id))[0].mentions).toEqual([BOTS[0], bob.id]);
    await scene.send(ann, id, `<@${UNKNOWN}> @channel`);
    for (const object of [(await last())?.data, (await last())?.message, (await read(id))[1]])
      expect(object).not.toHaveProperty('mentions');
  });
});

describe('editing', () => {
  const edit = (person: SeededPerson, id: string, body: unknown) =>
    scene.as(person, 'PATCH', `/messages/${id}`, body);

  test('changes text and mentions, and emits MESSAGE_UPDATED', async () => {
    const id = await scene.channel();
    const message = await scene.send(ann, id, `hi <@${bob.id}>`);
    expect(await edit(ann, message, { text: `hello <@${eve.id}>` })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    const [{ permalink, ...shown }] = await read(id);
    expect(permalink).toContain(message);
    expect(shown).toMatchObject({
      id: message,
      text: `hello <@${eve.id}>`,
      mentions: [eve.id],
      msg_index: 1,
      edited_at: expect.stringMatching(/\.\d{9}Z$/),
    });
    const event = await last();
    expect(event).toMatchObject({
      event_type: 'MESSAGE_UPDATED',
      actor_id: ann.id,
      occurred_at: shown.edited_at,
      message: shown,
      data: { changes: ['text'] },
    });
    expect(Object.keys(event?.data ?? {})).toEqual([
      'message_id',
      'conversation_id',
      'author_id',
      'text',
      'msg_index',
      'sent_at',
      'mentions',
      'conversation_context',
      'edited_at',
      'changes',
    ]);
    expect(event?.data).toMatchObject({
      text: shown.text,
      edited_at: shown.edited_at,
      sent_at: shown.sent_at,
    });
    await edit(ann, message, { text: 'bye' });
    expect((await read(id))[0]).not.toHaveProperty('mentions');
  });

  test("errors: unknown and foreign 404, another author's 403, deleted 410, empty 400", async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    const other = await ChatSpace.on(api);
    const foreign = await other.send(other.people.ann, await other.channel(), 'x');
    for (const unknown of [UNKNOWN, foreign, 'x'])
      expect((await edit(ann, unknown, { text: 'y' })).status).toBe(404);
    expect((await edit(bob, message, { text: 'y' })).status).toBe(403);
    const impostor = {
      spaceId: scene.space.spaceId,
      messageId: message,
      editor: { id: ann.id, type: 'webhook' as const },
      text: 'y',
    };
    expect(await runInWorkerTx(api.db, (tx) => editMessage.in(tx, impostor))).toEqual({
      refused: 'not_author',
    });
    for (const text of ['', '  ', 'x'.repeat(4001), undefined])
      expect((await edit(ann, message, { text })).status).toBe(400);
    await scene.as(ann, 'DELETE', `/messages/${message}`);
    expect((await edit(ann, message, { text: 'y' })).status).toBe(410);
    expect((await edit(bob, message, { text: 'y' })).status).toBe(403);
    expect((await scene.events()).map((event) => event.event_type)).not.toContain('MESSAGE_UPDATED');
  });

  test('an author who left cannot edit any more, but a bot can in response to a click', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const [mine, bots] = [
      await scene.send(bob, id, 'x'),
      await scene.chat.post(id, { id: BOTS[0] as string, type: 'bot' }, 'x', { access: 'granted' }),
    ];
    await scene.as(bob, 'POST', `/conversations/${id}/leave`);
    expect((await edit(bob, mine, { text: 'y' })).status).toBe(403);
    const edited = (more: { access?: 'answer' } = {}) =>
      runInWorkerTx(api.db, (tx) =>
        editMessage.in(tx, {
          spaceId: scene.space.spaceId,
          messageId: bots.messageId,
          editor: { id: BOTS[0] as string, type: 'bot' },
          text: 'y',
          ...more,
        }),
      );
    expect(await edited()).toEqual({ refused: 'not_member' });
    expect(await edited({ access: 'answer' })).toMatchObject({ message: { text: 'y' } });
  });

  test('metadata: kept if omitted, replaced, removed', async () => {
    const bot = { id: BOTS[0] as string, type: 'bot' as const };
    const id = await scene.channel({ member_ids: [bot.id] });
    const { messageId } = await scene.chat.post(id, bot, 'x', { metadataJson: '{"a":1}' });
    const change = (more: object) =>
      runInWorkerTx(api.db, (tx) =>
        editMessage.in(tx, { spaceId: scene.space.spaceId, messageId, editor: bot, ...more }),
      );
    expect(await change({ text: 'y' })).toMatchObject({ message: { text: 'y', metadata_json: '{"a":1}' } });
    expect(await change({ metadataJson: '{"a":2}' })).toMatchObject({
      message: { text: 'y', metadata_json: '{"a":2}' },
    });
    await change({ metadataJson: null });
    expect((await read(id))[0]).not.toHaveProperty('metadata_json');
    expect((await scene.events()).filter((event) => event.event_type === 'MESSAGE_UPDATED')).toHaveLength(3);
  });

  test('several messages of a conversation: in order, and a refused edit prevents no other', async () => {
    const id = await scene.channel();
    const [first, gone, second] = [
      await scene.send(ann, id, 'x'),
      await scene.send(ann, id, 'x'),
      await scene.send(ann, id, 'x'),
    ];
    await scene.as(ann, 'DELETE', `/messages/${gone}`);
    const { spaceId } = scene.space;
    const edits = [second, gone, UNKNOWN, first].map((messageId, n) => ({
      ...{ spaceId, messageId, text: `<@${bob.id}> ${n}`, metadataJson: `{"n":${n}}` },
      editor: { id: ann.id, type: 'user' as const },
    }));
    const answers = await runInWorkerTx(api.db, async (tx) => {
      const conversation = (await lockConversationOfMessage(tx, spaceId, first)) as Conversation;
      return editMessage.all(tx, conversation, edits);
    });
    expect(answers).toMatchObject([
      { message: { id: second, text: `<@${bob.id}> 0`, metadata_json: '{"n":0}' } },
      { refused: 'deleted' },
      { refused: 'unknown_message' },
      { message: { id: first, text: `<@${bob.id}> 3`, metadata_json: '{"n":3}' } },
    ]);
    const stored = await read(id);
    const [one, two] = [first, second].map((of) =>
      stored.find((message: { id: string }) => message.id === of),
    );
    expect([one, two]).toMatchObject([
      { text: `<@${bob.id}> 3`, metadata_json: '{"n":3}' },
      { text: `<@${bob.id}> 0`, metadata_json: '{"n":0}' },
    ]);
    expect(one.edited_at > two.edited_at).toBe(true);
    const events = (await scene.events()).filter((event) => event.event_type === 'MESSAGE_UPDATED');
    expect(events.map((event) => event.message?.id)).toEqual([second, first]);
  });

  test('another editor needs granted access and is named as the actor', async () => {
    const id = await scene.channel();
    const messageId = await scene.send(ann, id, 'x');
    await runInWorkerTx(api.db, (tx) =>
      editMessage.in(tx, {
        spaceId: scene.space.spaceId,
        messageId,
        editor: { id: BOTS[0] as string, type: 'bot' },
        text: 'y',
        access: 'granted',
      }),
    );
    expect(await last()).toMatchObject({ actor_id: BOTS[0], actor_type: 'bot', data: { author_id: ann.id } });
  });
});
