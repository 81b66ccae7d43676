import {
  archiveConversation,
  createConversation,
  CreateMessage,
  DeleteMessage,
  EditMessage,
  reactToMessage,
} from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { parse, PLAN_LOCK, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

const ALL = [
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_DELETED',
  'REACTION_ADDED',
  'REACTION_REMOVED',
  'CONVERSATION_CREATED',
  'CONVERSATION_ARCHIVED',
];

let rig: Rig;
let channel: string;
let actor: { id: string; type: 'user' };

beforeAll(async () => {
  rig = await startRig();
  channel = await rig.channel();
  actor = { id: rig.space.owner.id, type: 'user' };
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runInWorkerTx(rig.api.db, work);
const typesAt = ({ receiver }: Subscribed): string[] =>
  receiver.requests.map(({ headers }) => String(headers['x-service-event'])).sort();
const textsAt = ({ receiver }: Subscribed): string[] =>
  receiver.requests.map((request) => parse(request).data.text).sort();
/** Resolves when all of the subscriptions have got what there is for them. */
async function all(...subscribed: Subscribed[]): Promise<void> {
  for (const { id } of subscribed) await rig.sent(id);
}

describe('which events a subscription gets', () => {
  test('exactly the types it names, from making to archiving a channel', async () => {
    const { spaceId } = rig.space;
    const everything = await rig.subscribe({ event_types: ALL });
    const reactions = await rig.subscribe({ event_types: ['REACTION_ADDED'] });
    const { id: conversationId } = await write((tx) =>
      createConversation(tx, { spaceId, name: 'news', type: 'channel', isPublic: true, createdBy: actor.id }),
    );
    const { messageId } = await rig.post(conversationId, 'one');
    await write((tx) =>
      rig.api.app.get(EditMessage).in(tx, { spaceId, messageId, text: 'two', editor: actor }),
    );
    await write((tx) => reactToMessage(tx, 'add', { spaceId, messageId, emoji: '👍', actor }));
    await write((tx) => reactToMessage(tx, 'remove', { spaceId, messageId, emoji: '👍', actor }));
    await write((tx) => rig.api.app.get(DeleteMessage).in(tx, { spaceId, messageId, actor }));
    await write((tx) => archiveConversation(tx, { spaceId, conversationId, actor }));
    await all(everything, reactions);
    expect(typesAt(everything)).toEqual([...ALL].sort());
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
    const secret = await rig.channel('private');
    const dm = await rig.chat.direct(actor, rig.chat.member('user', rig.admin.id));
    const open = await rig.subscribe();
    const narrowed = await rig.subscribe({ channel_ids: [secret] });
    const root = await rig.post(secret, 'private root');
    await rig.post(secret, 'private reply', { parentMessageId: root.messageId });
    await rig.post(channel, 'public');
    const direct = await rig.post(dm, 'direct');
    await rig.post(dm, 'direct reply', { parentMessageId: direct.messageId });
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

  test('CONVERSATION_CREATED only with empty channel_ids, CONVERSATION_ARCHIVED by the filter, none of threads', async () => {
    const { spaceId } = rig.space;
    const { id } = await write((tx) =>
      createConversation(tx, { spaceId, name: 'a', type: 'channel', isPublic: true, createdBy: actor.id }),
    );
    await rig.planned();
    const event_types = ['CONVERSATION_CREATED', 'CONVERSATION_ARCHIVED'];
    const open = await rig.subscribe({ event_types });
    const narrowed = await rig.subscribe({ event_types, channel_ids: [id] });
    const root = await rig.post(id, 'root');
    await rig.post(id, 'opens a thread', { parentMessageId: root.messageId });
    await write((tx) =>
      createConversation(tx, { spaceId, name: 'b', type: 'channel', isPublic: false, createdBy: actor.id }),
    );
    await write((tx) => archiveConversation(tx, { spaceId, conversationId: id, actor }));
    await all(open, narrowed);
    expect(typesAt(open)).toEqual(['CONVERSATION_ARCHIVED', 'CONVERSATION_CREATED']);
    expect(typesAt(narrowed)).toEqual(['CONVERSATION_ARCHIVED']);
  });

  test('messages by keyword or mention, created and edited', async () => {
    const { spaceId } = rig.space;
    const event_types = ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED'];
    const words = await rig.subscribe({
      event_types,
      trigger: 'keywords',
      trigger_config: { keywords: ['deploy'] },
    });
    const anybody = await rig.subscribe({ event_types, trigger: 'mention' });
    const admin = await rig.subscribe({
      event_types,
      trigger: 'mention',
      trigger_config: { user_ids: [rig.admin.id] },
    });
    const { messageId } = await rig.post(channel, 'redeployment');
    await write((tx) =>
      rig.api.app.get(EditMessage).in(tx, { spaceId, messageId, text: 'Deploy!', editor: actor }),
    );
    await rig.post(channel, `hey <@${actor.id}>`);
    await rig.post(channel, `hey <@${rig.admin.id}>`);
    await write((tx) => rig.api.app.get(DeleteMessage).in(tx, { spaceId, messageId, actor }));
    await all(words, anybody, admin);
    expect(textsAt(words)).toEqual(['', 'Deploy!']);
    expect(textsAt(anybody)).toEqual(['', `hey <@${actor.id}>`, `hey <@${rig.admin.id}>`].sort());
    expect(textsAt(admin)).toEqual(['', `hey <@${rig.admin.id}>`]);
  });

  test('nothing of another space', async () => {
    const stranger = await rig.otherSpace();
    const theirs = await stranger.subscribe();
    const ours = await rig.subscribe();
    await rig.post(channel, 'ours');
    await all(ours, theirs);
    expect([textsAt(ours), textsAt(theirs)]).toEqual([['ours'], []]);
    await stranger.clear();
  });
});

describe("the configuration as of an event's commit", () => {
  test('decides, however late the event is planned', async () => {
    const first = await rig.subscribe();
    const path = `/outgoing_webhooks/${first.id}`;
    let second = first;
    await rig.planned();
    await write(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [PLAN_LOCK]);
      await rig.post(channel, 'while active');
      await rig.call('PATCH', path, { status: 'inactive' });
      await rig.post(channel, 'while inactive');
      await rig.call('PATCH', path, {
        status: 'active',
        trigger: 'keywords',
        trigger_config: { keywords: ['deploy'] },
      });
      await rig.post(channel, 'without the keyword');
      await rig.post(channel, 'deploy one');
      second = await rig.subscribe();
      await rig.post(channel, 'deploy two');
    });
    await all(first, second);
    expect(textsAt(first)).toEqual(['deploy one', 'deploy two', 'while active']);
    expect(textsAt(second)).toEqual(['deploy two']);
  });

  test('survives another relay that worked in between', async () => {
    const subscribed = await rig.subscribe();
    await rig.post(channel, 'before');
    await all(subscribed);
    await rig.api.db.query('UPDATE outbox_relay SET relay_id = gen_random_uuid()');
    await rig.post(channel, 'after');
    await all(subscribed);
    expect(textsAt(subscribed)).toEqual(['after', 'before']);
  });
});

describe('context', () => {
  test('carries the newest messages before, ascending, without deleted ones, each subscription its own number', async () => {
    const here = await rig.channel();
    const posts = [];
    for (const text of ['one', 'two', 'three', 'four']) posts.push(await rig.post(here, text));
    const [, second, third] = posts;
    await write((tx) =>
      rig.api.app
        .get(DeleteMessage)
        .in(tx, { spaceId: rig.space.spaceId, messageId: third?.messageId ?? '', actor }),
    );
    await write((tx) =>
      rig.api.app.get(EditMessage).in(tx, {
        spaceId: rig.space.spaceId,
        messageId: second?.messageId ?? '',
        text: 'two!',
        editor: actor,
      }),
    );
    const two = await rig.subscribe({ include_context: true, context_size: 2 });
    const many = await rig.subscribe({ include_context: true });
    const none = await rig.subscribe({ context_size: 2 });
    await rig.post(here, 'five');
    await all(two, many, none);
    const contextAt = ({ receiver }: Subscribed) => parse(receiver.requests[0]).context;
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

  test('of a reply are the replies before it, of a reaction the newest messages but its own', async () => {
    const here = await rig.channel();
    const root = await rig.post(here, 'root');
    await rig.post(here, 'first reply', { parentMessageId: root.messageId });
    const subscribed = await rig.subscribe({
      event_types: ['MESSAGE_CREATED', 'REACTION_ADDED'],
      include_context: true,
    });
    await rig.post(here, 'second reply', { parentMessageId: root.messageId });
    const last = await rig.post(here, 'last');
    await write((tx) =>
      reactToMessage(tx, 'add', {
        spaceId: rig.space.spaceId,
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

  test('that cannot be read costs the context, not the event', async () => {
    const subscribed = await rig.subscribe({ include_context: true });
    await write(async (tx) => {
      await rig.api.app.get(CreateMessage).in(tx, {
        spaceId: rig.space.spaceId,
        conversationId: channel,
        author: actor,
        text: 'all the same',
      });
      await tx.query('ALTER TABLE messages RENAME TO messages_away');
    });
    await all(subscribed);
    await rig.api.db.query('ALTER TABLE messages_away RENAME TO messages');
    expect(parse(subscribed.receiver.requests[0])).toMatchObject({
      data: { text: 'all the same' },
      context: { messages: [], context_error: true },
    });
  });
});
