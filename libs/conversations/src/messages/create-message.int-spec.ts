import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { addMember } from '../members/add-member.js';
import { archiveConversation } from '../channels/archive-conversation.js';
import type { ChatEvent } from '../events/chat-event.js';
import type { CreatedMessage } from './create-message.js';
import { findMessage } from './message.queries.js';
import { messageView } from './message.view.js';
import { removeMember } from '../members/remove-member.js';
import { ChatFixture } from '../testing/index.js';
import { createMessage, editMessage } from '../testing/stubs.js';

const NINE_DIGITS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}000Z$/;

let database: TestDatabase;
let db: Db;
let chat: ChatFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 24 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  chat = new ChatFixture(db);
});

async function chatEvents(): Promise<ChatEvent[]> {
  return (await chat.events()).map((event) => event.payload as ChatEvent);
}

describe('a message', () => {
  test('is numbered, stored and emitted with all its fields', async () => {
    const [bot, person] = [chat.member('bot'), chat.member()];
    const channel = await chat.conversation({ members: [bot, person] });
    const first = await chat.post(channel, person, 'first');
    const text = 'quotes " \\ and \n lines, 😀, \u2028';
    const created = await chat.post(channel, bot, text, {
      metadataJson: '{"blocks":[]}',
      displayName: 'Nightly "build"',
      displayAvatarUrl: 'https://x.test/a.png',
    });
    expect([first.msgIndex, created.msgIndex]).toEqual([1, 2]);
    expect(created).toEqual({
      messageId: expect.any(String),
      conversationId: channel,
      msgIndex: 2,
      sentAt: expect.stringMatching(NINE_DIGITS),
      eventId: expect.any(String),
    });
    const [, event] = await chatEvents();
    const context = {
      conversation_id: channel,
      type: 'channel',
      scope: 'public',
      is_direct: false,
      is_public: true,
    };
    const data = {
      message_id: created.messageId,
      conversation_id: channel,
      author_id: bot.id,
      text,
      msg_index: 2,
      sent_at: created.sentAt,
      conversation_context: context,
    };
    expect(JSON.stringify(event?.data)).toBe(JSON.stringify(data));
    const { conversation_id: id, ...facts } = context;
    expect(event).toEqual({
      event_id: created.eventId,
      event_type: 'MESSAGE_CREATED',
      space_id: chat.spaceId,
      occurred_at: created.sentAt,
      actor_id: bot.id,
      actor_type: 'bot',
      conversation: { id, ...facts },
      channel_id: channel,
      thread_id: '',
      bot_ids: [],
      data,
      message: {
        id: created.messageId,
        message_id: created.messageId,
        conversation_id: channel,
        author_id: bot.id,
        author_type: 'bot',
        text,
        msg_index: 2,
        sent_at: created.sentAt,
        is_system: false,
        metadata_json: '{"blocks":[]}',
        display_name: 'Nightly "build"',
        display_avatar_url: 'https://x.test/a.png',
        attachments: [],
        attachment_status: 'none',
        reactions: [],
      },
    });
    const stored = await findMessage(db, chat.spaceId, created.messageId);
    expect(stored && messageView(stored)).toEqual(event?.message);
  });

  test('has the same event id in the outbox row and in the event', async () => {
    const person = chat.member();
    const { eventId } = await chat.post(await chat.conversation({ members: [person] }), person, 'x');
    expect(await chat.events()).toMatchObject([
      { eventId, type: 'MESSAGE_CREATED', payload: { event_id: eventId } },
    ]);
  });

  test.each(['public', 'private'] as const)(
    'in a %s channel lists its member bots only if it is not public',
    async (scope) => {
      const [bot, other, person] = [chat.member('bot'), chat.member('bot'), chat.member()];
      const channel = await chat.conversation({ scope, members: [bot, other, person] });
      const { messageId } = await chat.post(channel, person, 'x');
      await chat.post(channel, person, 'y', { parentMessageId: messageId });
      await runInWorkerTx(db, (tx) =>
        editMessage.in(tx, { spaceId: chat.spaceId, messageId, editor: person, text: 'z' }),
      );
      for (const event of await chatEvents())
        expect(event.bot_ids).toEqual(scope === 'public' ? [] : [bot.id, other.id]);
    },
  );

  test('in a direct chat has the context of a direct chat', async () => {
    const [bot, person] = [chat.member('bot'), chat.member()];
    const direct = await chat.direct(person, bot);
    await chat.post(direct, bot, 'hello');
    const event = (await chatEvents()).at(-1);
    expect(event).toMatchObject({
      conversation: { type: 'chat', scope: 'dm', is_direct: true, is_public: false },
      bot_ids: [bot.id],
    });
  });
});

describe('SQL and TypeScript return the same facts about a conversation', () => {
  test.each(['channel', 'thread', 'subtype'])('%s', async (kind) => {
    const person = chat.member();
    const channel = await chat.conversation({ members: [person], type: 'voice' });
    let message = await chat.post(channel, person, 'root');
    if (kind !== 'channel')
      message = await chat.post(channel, person, 'reply', { parentMessageId: message.messageId });
    if (kind === 'subtype') {
      await db.query(`UPDATE conversations SET subtype = 'call_thread' WHERE space_id = $1 AND id = $2`, [
        chat.spaceId,
        message.conversationId,
      ]);
      message = await chat.post(channel, person, 'reply', { parentMessageId: message.messageId });
    }
    await runInWorkerTx(db, (tx) =>
      editMessage.in(tx, {
        spaceId: chat.spaceId,
        messageId: message.messageId,
        editor: person,
        text: 'edited',
      }),
    );
    const [posted, edited] = (await chatEvents()).slice(-2) as [ChatEvent, ChatEvent];
    const about = ({ conversation, channel_id, thread_id, bot_ids, data }: ChatEvent) =>
      JSON.stringify([
        conversation,
        channel_id,
        thread_id,
        bot_ids,
        (data as { conversation_context?: unknown }).conversation_context,
      ]);
    expect(about(posted)).toBe(about(edited));
    expect(posted.conversation).toMatchObject(
      kind === 'channel'
        ? { type: 'voice' }
        : {
            type: 'thread',
            parent_conversation_id: channel,
            parent_conversation_type: 'voice',
            parent_is_public: true,
          },
    );
    expect(posted.conversation.subtype).toBe(kind === 'subtype' ? 'call_thread' : undefined);
  });

  test('an unknown type is passed through unchanged, also in the context', async () => {
    const person = chat.member();
    const stage = await chat.conversation({ members: [person], type: 'stage' });
    const root = await chat.post(stage, person, 'root');
    await chat.post(stage, person, 'reply', { parentMessageId: root.messageId });
    const [posted, replied] = (await chatEvents()).slice(-2) as [ChatEvent, ChatEvent];
    expect(posted.data).toMatchObject({ conversation_context: { type: 'stage', scope: 'public' } });
    expect(replied.data).toMatchObject({
      conversation_context: { type: 'thread', parent_conversation_type: 'stage' },
    });
  });
});

describe('access', () => {
  const send = (
    conversationId: string,
    author: { id: string; type: 'user' | 'bot' | 'webhook' | 'system' },
    more = {},
  ) =>
    runInWorkerTx(db, (tx) =>
      createMessage.in(tx, { spaceId: chat.spaceId, conversationId, author, text: 'x', ...more }),
    );

  test.each(['user', 'bot'] as const)('a %s posts only as a member', async (type) => {
    const [member, stranger] = [chat.member(type), chat.member(type)];
    const channel = await chat.conversation({ members: [member] });
    expect(await send(channel, member)).toMatchObject({ msgIndex: 1 });
    expect(await send(channel, stranger)).toEqual({ refused: 'not_member' });
    expect(await chat.events()).toHaveLength(1);
  });

  test('a person is not a member because a bot with the same id is one', async () => {
    const bot = chat.member('bot');
    const channel = await chat.conversation({ members: [bot] });
    expect(await send(channel, { id: bot.id, type: 'user' })).toEqual({ refused: 'not_member' });
  });

  test('an unknown conversation, or one of another space, is refused', async () => {
    const member = chat.member();
    expect(await send(uuidv7(), member)).toEqual({ refused: 'unknown_conversation' });
    const foreign = await new ChatFixture(db).conversation({ members: [member] });
    expect(await send(foreign, member, { access: 'granted' })).toEqual({ refused: 'unknown_conversation' });
  });

  test('granted access needs no membership, but archived conversations stay closed', async () => {
    const webhook = { id: uuidv7(), type: 'webhook' } as const;
    const channel = await chat.conversation({ scope: 'private' });
    expect(await send(channel, webhook)).toEqual({ refused: 'not_member' });
    expect(await send(channel, webhook, { access: 'granted' })).toMatchObject({ msgIndex: 1 });
    await runInWorkerTx(db, (tx) =>
      archiveConversation(tx, { spaceId: chat.spaceId, conversationId: channel, actor: webhook }),
    );
    expect(await send(channel, webhook, { access: 'granted' })).toEqual({ refused: 'archived' });
  });

  test('an archived channel and its threads accept nothing; a non-member does not learn that it is archived', async () => {
    const member = chat.member();
    const channel = await chat.conversation({ members: [member] });
    const root = await chat.post(channel, member, 'root');
    const reply = await chat.post(channel, member, 'reply', { parentMessageId: root.messageId });
    await runInWorkerTx(db, (tx) =>
      archiveConversation(tx, { spaceId: chat.spaceId, conversationId: channel, actor: member }),
    );
    expect(await send(channel, member)).toEqual({ refused: 'archived' });
    expect(await send(reply.conversationId, member)).toEqual({ refused: 'archived' });
    expect(await send(channel, member, { parentMessageId: root.messageId })).toEqual({ refused: 'archived' });
    expect(await send(channel, chat.member())).toEqual({ refused: 'not_member' });
  });

  test('a thread has the current members of its channel', async () => {
    const [member, bot] = [chat.member(), chat.member('bot')];
    const channel = await chat.conversation({ members: [member, bot] });
    const root = await chat.post(channel, member, 'root');
    const { conversationId: thread } = await chat.post(channel, member, 'reply', {
      parentMessageId: root.messageId,
    });
    expect(await send(thread, bot)).toMatchObject({ msgIndex: 2 });
    await runInWorkerTx(db, (tx) =>
      removeMember(tx, { spaceId: chat.spaceId, conversationId: channel, memberId: bot.id }),
    );
    expect(await send(thread, bot)).toEqual({ refused: 'not_member' });
    expect(await send(channel, bot)).toEqual({ refused: 'not_member' });
    await runInWorkerTx(db, (tx) =>
      addMember(tx, { spaceId: chat.spaceId, conversationId: channel, member: bot }),
    );
    expect(await send(thread, bot)).toMatchObject({ msgIndex: 3 });
  });
});

describe('concurrency', () => {
  test('50 concurrent posts get msg_index 1..50 in commit order', async () => {
    const bot = chat.member('bot');
    const channel = await chat.conversation({ members: [bot] });
    const created = await Promise.all(
      Array.from({ length: 50 }, (_, n) => chat.post(channel, bot, `message ${n}`)),
    );
    expect(created.map((message) => message.msgIndex).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    const told = (await chatEvents()).map((event) => event.message);
    expect(told.map((message) => message?.msg_index)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    const times = told.map((message) => message?.sent_at ?? '');
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(50);
  });

  test('12 writers in several conversations and threads leave no gap and keep the order', async () => {
    const writers = Array.from({ length: 12 }, (_, n) => chat.member(n % 2 === 0 ? 'bot' : 'user'));
    const channels = await Promise.all([1, 2, 3].map(() => chat.conversation({ members: writers })));
    const roots = await Promise.all(
      channels.map(async (channel) => (await chat.post(channel, writers[0]!, 'root')).messageId),
    );
    const places = [
      ...channels.map((id) => ({ id })),
      ...channels.map((id, n) => ({ id, parentMessageId: roots[n] })),
    ];
    await Promise.all(
      writers.map(async (writer, w) => {
        for (let n = 0; n < 20; n += 1) {
          const { id, ...more } = places[(n + w) % places.length]!;
          await chat.post(id, writer, `${w}/${n}`, more);
        }
      }),
    );
    const byConversation = new Map<string, number[]>();
    for (const { conversation, message } of await chatEvents()) {
      byConversation.set(conversation.id, [
        ...(byConversation.get(conversation.id) ?? []),
        message?.msg_index ?? 0,
      ]);
    }
    expect(byConversation.size).toBe(6);
    for (const indexes of byConversation.values()) expect(indexes).toEqual(indexes.map((_, n) => n + 1));
    expect([...byConversation.values()].flat()).toHaveLength(12 * 20 + 3);
  });

  test('a rolled back message leaves no gap', async () => {
    const person = chat.member();
    const channel = await chat.conversation({ members: [person] });
    await expect(
      runInWorkerTx(db, async (tx) => {
        await createMessage.in(tx, {
          spaceId: chat.spaceId,
          conversationId: channel,
          author: person,
          text: 'lost',
        });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await chat.post(channel, person, 'kept')).toMatchObject({ msgIndex: 1 });
    expect(await chat.events()).toHaveLength(1);
  });

  test('a first reply that waited for another one to create the thread is added to it', async () => {
    const person = chat.member();
    const channel = await chat.conversation({ members: [person] });
    const { messageId: root } = await chat.post(channel, person, 'root');
    const reply = (tx: Tx) =>
      createMessage.in(tx, {
        spaceId: chat.spaceId,
        conversationId: channel,
        author: person,
        text: 'reply',
        parentMessageId: root,
      });
    let first: unknown;
    const [second] = await whileHolding(
      async (tx) => void (first = await reply(tx)),
      () => [runInWorkerTx(db, reply)],
    );
    expect([first, second]).toMatchObject([
      { msgIndex: 1, threadId: root },
      { msgIndex: 2, conversationId: (first as CreatedMessage).conversationId },
    ]);
  });

  test('concurrent edits and posts are emitted in the order in which they took effect', async () => {
    const person = chat.member();
    const channel = await chat.conversation({ members: [person] });
    const { messageId } = await chat.post(channel, person, 'first');
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await runInWorkerTx(db, (tx) =>
          editMessage.in(tx, { spaceId: chat.spaceId, messageId, editor: person, text: `edit ${n}` }),
        );
        await chat.post(channel, person, `${n}`);
      }),
    );
    const events = await chatEvents();
    const times = events.map((event) => event.occurred_at);
    expect(times).toEqual([...new Set(times)].sort());
    const edits = events
      .filter((event) => event.event_type === 'MESSAGE_UPDATED')
      .map((event) => event.message);
    expect(edits).toHaveLength(20);
    const stored = await findMessage(db, chat.spaceId, messageId);
    expect(edits.at(-1)).toEqual(stored && messageView(stored));
  });

  test('a message that waited for archiving is refused, in the channel and in its thread', async () => {
    const person = chat.member();
    const channel = await chat.conversation({ members: [person] });
    const root = await chat.post(channel, person, 'root');
    const { conversationId: thread } = await chat.post(channel, person, 'reply', {
      parentMessageId: root.messageId,
    });
    const waiting = await whileHolding(
      (tx) => archiveConversation(tx, { spaceId: chat.spaceId, conversationId: channel, actor: person }),
      () =>
        [channel, thread].map((id) =>
          runInWorkerTx(db, (tx) =>
            createMessage.in(tx, { spaceId: chat.spaceId, conversationId: id, author: person, text: 'late' }),
          ),
        ),
    );
    expect(waiting).toEqual([{ refused: 'archived' }, { refused: 'archived' }]);
  });

  test('a message or edit that waited for a bot to join names that bot, in the channel and in its thread', async () => {
    const [person, bot] = [chat.member(), chat.member('bot')];
    const channel = await chat.conversation({ scope: 'private', members: [person] });
    const root = await chat.post(channel, person, 'root');
    const reply = await chat.post(channel, person, 'reply', { parentMessageId: root.messageId });
    await whileHolding<object>(
      (tx) => addMember(tx, { spaceId: chat.spaceId, conversationId: channel, member: bot }),
      () => [
        ...[channel, reply.conversationId].map((id) =>
          runInWorkerTx(db, (tx) =>
            createMessage.in(tx, { spaceId: chat.spaceId, conversationId: id, author: person, text: 'late' }),
          ),
        ),
        ...[root, reply].map(({ messageId }) =>
          runInWorkerTx(db, (tx) =>
            editMessage.in(tx, { spaceId: chat.spaceId, messageId, editor: person, text: 'late' }),
          ),
        ),
      ],
    );
    const late = (await chatEvents()).filter((event) => event.message?.text === 'late');
    expect(late.map((event) => event.bot_ids)).toEqual(Array(4).fill([bot.id]));
  });
});

/**
 * Runs `change` in a transaction that commits only after everything started by `start` waits for a
 * lock.
 */
async function whileHolding<T>(
  change: (tx: Tx) => Promise<unknown>,
  start: () => Promise<T>[],
): Promise<T[]> {
  let started: Promise<T>[] = [];
  await runInWorkerTx(db, async (tx) => {
    await change(tx);
    started = start();
    await eventually(async () => {
      const [row] = await readRows<{ n: number }>(
        db,
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row !== undefined && row.n >= started.length;
    });
  });
  return Promise.all(started);
}
