import { CreateMessage, DeleteMessage, EditMessage, reactToMessage } from '@tieline/conversations';
import { archiveConversation, createConversation } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { mayIdle } from '@tieline/testing';
import { SUBSCRIBABLE_EVENT_TYPES } from './event-types.js';
import { parse, PLAN_LOCK, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let channel: string;
let actor: { id: string; type: 'user' };

beforeAll(async () => {
  harness = await startOutgoingHarness();
  channel = await harness.channel();
  actor = { id: harness.space.owner.id, type: 'user' };
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runInWorkerTx(harness.api.db, work);
const typesAt = ({ receiver }: TestSubscription): string[] =>
  receiver.requests.map(({ headers }) => String(headers['x-service-event'])).sort();
const textsAt = ({ receiver }: TestSubscription): string[] =>
  receiver.requests.map((request) => parse(request).data.text).sort();
/** Resolves when all subscriptions have received their deliveries. */
async function all(...subscribed: TestSubscription[]): Promise<void> {
  for (const { id } of subscribed) await harness.sent(id);
}

describe('events that a subscription receives', () => {
  test('exactly the selected types, from creating to archiving a channel', async () => {
    const { spaceId } = harness.space;
    const everything = await harness.subscribe({ event_types: SUBSCRIBABLE_EVENT_TYPES });
    const reactions = await harness.subscribe({ event_types: ['REACTION_ADDED'] });
    const { id: conversationId } = await write((tx) =>
      createConversation(tx, { spaceId, name: 'news', type: 'channel', isPublic: true, creator: actor }),
    );
    const { messageId } = await harness.post(conversationId, 'one');
    await write((tx) =>
      harness.api.app.get(EditMessage).in(tx, { spaceId, messageId, text: 'two', editor: actor }),
    );
    await write((tx) => reactToMessage(tx, 'add', { spaceId, messageId, emoji: '👍', actor }));
    await write((tx) => reactToMessage(tx, 'remove', { spaceId, messageId, emoji: '👍', actor }));
    await write((tx) => harness.api.app.get(DeleteMessage).in(tx, { spaceId, messageId, actor }));
    await write((tx) => archiveConversation(tx, { spaceId, conversationId, actor }));
    await all(everything, reactions);
    expect(typesAt(everything)).toEqual([
      'CONVERSATION_ARCHIVED',
      'CONVERSATION_CREATED',
      'MESSAGE_CREATED',
      'MESSAGE_DELETED',
      'MESSAGE_UPDATED',
      'REACTION_ADDED',
      'REACTION_REMOVED',
    ]);
    expect(typesAt(reactions)).toEqual(['REACTION_ADDED']);
    expect(parse(reactions.receiver.requests[0]).data).toEqual({
      message_id: messageId,
      conversation_id: conversationId,
      emoji: '👍',
      user_id: actor.id,
    });
    const created = everything.receiver.requests
      .map(parse)
      .find(({ event_type }) => event_type === 'CONVERSATION_CREATED');
    expect(created).toMatchObject({
      conversation_id: conversationId,
      thread_id: '',
      actor_user_id: actor.id,
      data: { conversation_id: conversationId, name: 'news', type: 'channel', created_by: actor.id },
    });
  });

  test('channels by channel_ids, threads by their parent, never DMs', async () => {
    const secret = await harness.channel('private');
    const dm = await harness.chat.direct(actor, harness.chat.member('user', harness.admin.id));
    const open = await harness.subscribe();
    const narrowed = await harness.subscribe({ channel_ids: [secret] });
    const root = await harness.post(secret, 'private root');
    await harness.post(secret, 'private reply', { parentMessageId: root.messageId });
    await harness.post(channel, 'public');
    const direct = await harness.post(dm, 'direct');
    await harness.post(dm, 'direct reply', { parentMessageId: direct.messageId });
    await all(open, narrowed);
    expect(textsAt(open)).toEqual(['private reply', 'private root', 'public']);
    expect(textsAt(narrowed)).toEqual(['private reply', 'private root']);
    const reply = narrowed.receiver.requests.map(parse).find(({ data }) => data.text === 'private reply');
    expect(reply).toMatchObject({
      thread_id: root.messageId,
      data: {
        thread_id: root.messageId,
        conversation_context: { type: 'thread', scope: 'private', parent_conversation_id: secret },
      },
    });
    expect(reply.conversation_id).toBe(reply.data.conversation_id);
    expect(reply.conversation_id).not.toBe(secret);
  });

  test('CONVERSATION_CREATED only with empty channel_ids, CONVERSATION_ARCHIVED by the filter, neither for threads', async () => {
    const { spaceId } = harness.space;
    const { id } = await write((tx) =>
      createConversation(tx, { spaceId, name: 'a', type: 'channel', isPublic: true, creator: actor }),
    );
    await harness.planned();
    const event_types = ['CONVERSATION_CREATED', 'CONVERSATION_ARCHIVED'];
    const open = await harness.subscribe({ event_types });
    const narrowed = await harness.subscribe({ event_types, channel_ids: [id] });
    const root = await harness.post(id, 'root');
    await harness.post(id, 'opens a thread', { parentMessageId: root.messageId });
    await write((tx) =>
      createConversation(tx, { spaceId, name: 'b', type: 'channel', isPublic: false, creator: actor }),
    );
    await write((tx) => archiveConversation(tx, { spaceId, conversationId: id, actor }));
    await all(open, narrowed);
    expect(typesAt(open)).toEqual(['CONVERSATION_ARCHIVED', 'CONVERSATION_CREATED']);
    expect(typesAt(narrowed)).toEqual(['CONVERSATION_ARCHIVED']);
  });

  test('messages by keyword or mention, created and edited', async () => {
    const { spaceId } = harness.space;
    const event_types = ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED'];
    const words = await harness.subscribe({
      event_types,
      trigger: 'keywords',
      trigger_config: { keywords: ['deploy'] },
    });
    const anybody = await harness.subscribe({ event_types, trigger: 'mention' });
    const admin = await harness.subscribe({
      event_types,
      trigger: 'mention',
      trigger_config: { user_ids: [harness.admin.id] },
    });
    const { messageId } = await harness.post(channel, 'redeployment');
    await write((tx) =>
      harness.api.app.get(EditMessage).in(tx, { spaceId, messageId, text: 'Deploy!', editor: actor }),
    );
    await harness.post(channel, `hey <@${actor.id}>`);
    await harness.post(channel, `hey <@${harness.admin.id}>`);
    await write((tx) => harness.api.app.get(DeleteMessage).in(tx, { spaceId, messageId, actor }));
    await all(words, anybody, admin);
    expect(textsAt(words)).toEqual(['', 'Deploy!']);
    expect(textsAt(anybody)).toEqual(['', `hey <@${actor.id}>`, `hey <@${harness.admin.id}>`].sort());
    expect(textsAt(admin)).toEqual(['', `hey <@${harness.admin.id}>`]);
  });

  test('nothing of another space', async () => {
    const stranger = await harness.otherSpace();
    const theirs = await stranger.subscribe();
    const ours = await harness.subscribe();
    await harness.post(channel, 'ours');
    await all(ours, theirs);
    expect([textsAt(ours), textsAt(theirs)]).toEqual([['ours'], []]);
    await stranger.clear();
  });
});

describe("the configuration as of an event's commit", () => {
  test('is used however late the event is planned', async () => {
    const first = await harness.subscribe();
    const path = `/outgoing_webhooks/${first.id}`;
    let second = first;
    await harness.planned();
    await write(async (tx) => {
      await mayIdle(tx);
      await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
      await harness.post(channel, 'while active');
      await harness.call('PATCH', path, { status: 'inactive' });
      await harness.post(channel, 'while inactive');
      await harness.call('PATCH', path, {
        status: 'active',
        trigger: 'keywords',
        trigger_config: { keywords: ['deploy'] },
      });
      await harness.post(channel, 'without the keyword');
      await harness.post(channel, 'deploy one');
      second = await harness.subscribe();
      await harness.post(channel, 'deploy two');
    });
    await all(first, second);
    expect(textsAt(first)).toEqual(['deploy one', 'deploy two', 'while active']);
    expect(textsAt(second)).toEqual(['deploy two']);
  });

  test('is used even if another relay worked in between', async () => {
    const subscribed = await harness.subscribe();
    await harness.post(channel, 'before');
    await all(subscribed);
    await harness.api.db.query('UPDATE outbox_relay SET relay_id = gen_random_uuid()');
    await harness.post(channel, 'after');
    await all(subscribed);
    expect(textsAt(subscribed)).toEqual(['after', 'before']);
  });
});

describe('context', () => {
  test('contains the newest earlier messages in order, without deleted ones, as many as each subscription selects', async () => {
    const here = await harness.channel();
    const posts = [];
    for (const text of ['one', 'two', 'three', 'four']) posts.push(await harness.post(here, text));
    const [, second, third] = posts;
    await write((tx) =>
      harness.api.app
        .get(DeleteMessage)
        .in(tx, { spaceId: harness.space.spaceId, messageId: third?.messageId ?? '', actor }),
    );
    await write((tx) =>
      harness.api.app.get(EditMessage).in(tx, {
        spaceId: harness.space.spaceId,
        messageId: second?.messageId ?? '',
        text: 'two!',
        editor: actor,
      }),
    );
    const two = await harness.subscribe({ include_context: true, context_size: 2 });
    const many = await harness.subscribe({ include_context: true });
    const none = await harness.subscribe({ context_size: 2 });
    await harness.post(here, 'five');
    await all(two, many, none);
    const contextAt = ({ receiver }: TestSubscription) => parse(receiver.requests[0]).context;
    expect(contextAt(many).messages.map(({ content }: { content: string }) => content)).toEqual([
      'one',
      'two!',
      'four',
    ]);
    expect(contextAt(two)).toEqual({
      messages: [
        {
          id: second?.messageId,
          content: 'two!',
          author_id: actor.id,
          created_at: second?.sentAt,
          edited_at: expect.stringMatching(/Z$/),
        },
        { id: posts[3]?.messageId, content: 'four', author_id: actor.id, created_at: posts[3]?.sentAt },
      ],
      context_error: false,
    });
    expect(parse(none.receiver.requests[0])).not.toHaveProperty('context');
  });

  test('contains earlier replies for a reply, and the newest other messages for a reaction', async () => {
    const here = await harness.channel();
    const root = await harness.post(here, 'root');
    await harness.post(here, 'first reply', { parentMessageId: root.messageId });
    const subscribed = await harness.subscribe({
      event_types: ['MESSAGE_CREATED', 'REACTION_ADDED'],
      include_context: true,
    });
    await harness.post(here, 'second reply', { parentMessageId: root.messageId });
    const last = await harness.post(here, 'last');
    await write((tx) =>
      reactToMessage(tx, 'add', {
        spaceId: harness.space.spaceId,
        messageId: last.messageId,
        emoji: '👍',
        actor,
      }),
    );
    await all(subscribed);
    const contents = (matches: (body: ReturnType<typeof parse>) => boolean) =>
      subscribed.receiver.requests
        .map(parse)
        .find(matches)
        .context.messages.map(({ content }: { content: string }) => content);
    expect(contents(({ data }) => data.text === 'second reply')).toEqual(['first reply']);
    expect(contents(({ event_type }) => event_type === 'REACTION_ADDED')).toEqual(['root']);
  });

  test('an unreadable context does not prevent the event', async () => {
    const subscribed = await harness.subscribe({ include_context: true });
    await write(async (tx) => {
      await harness.api.app.get(CreateMessage).in(tx, {
        spaceId: harness.space.spaceId,
        conversationId: channel,
        author: actor,
        text: 'all the same',
      });
      await tx.query('ALTER TABLE messages RENAME TO messages_away');
    });
    await all(subscribed);
    await harness.api.db.query('ALTER TABLE messages_away RENAME TO messages');
    expect(parse(subscribed.receiver.requests[0])).toMatchObject({
      data: { text: 'all the same' },
      context: { messages: [], context_error: true },
    });
  });
});
