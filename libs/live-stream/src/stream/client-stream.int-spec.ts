import { runInWorkerTx } from '@tieline/platform/database';
import { EventStreamClient, eventually, HeldIntervals } from '@tieline/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace } from '@tieline/spaces/testing';
import { MetadataVisibility, reactToMessage, removeMember } from '@tieline/conversations';
import type { Member } from '@tieline/conversations/testing';
import { LiveEvents } from '../live-events.js';
import {
  addMember,
  ChatFixture,
  createConversation,
  deleteMessage,
  editMessage,
  supply,
} from '@tieline/conversations/testing';
import { LiveHarness } from '../testing/live-harness.js';

/** Stub for the interactive lib: metadata `{"only": id}` is visible to that person only. */
const visibility: MetadataVisibility = {
  of: (metadata) => (viewer) =>
    ((JSON.parse(metadata) as { only?: string }).only ?? viewer.id) === viewer.id ? metadata : undefined,
};

const as = (person: SeededPerson): Member => ({ id: person.id, type: 'user' });
const texts = (stream: EventStreamClient): unknown[] =>
  stream.events.filter(({ event }) => event === 'message.new').map(({ text }) => text);

const PING_MS = 5000;
/** Streams are pinged in this many portions. */
const PING_SLOTS = 20;

describe('GET /api/v1/client/stream', () => {
  let intervals: HeldIntervals;
  let harness: LiveHarness;
  let space: SeededSpace;
  let chat: ChatFixture;
  let ann: SeededPerson;
  let bob: SeededPerson;
  let eve: SeededPerson;
  let channel: string;

  beforeAll(async () => {
    intervals = new HeldIntervals(PING_MS / PING_SLOTS);
    harness = await LiveHarness.start(
      2,
      { STREAM_KEEPALIVE_SECONDS: String(PING_MS / 1000) },
      supply({ provide: MetadataVisibility, useValue: visibility }),
    );
  });
  afterAll(async () => {
    await harness?.close();
    intervals.release();
  });
  beforeEach(async () => {
    space = await seedSpace(harness.db);
    [ann, bob, eve] = await Promise.all([
      space.person('member'),
      space.person('member'),
      space.person('member'),
    ]);
    chat = new ChatFixture(harness.db, space.spaceId);
    channel = await chat.conversation({ scope: 'private', members: [as(ann), as(bob)] });
  });

  /** Sends the owner a message and waits for it, so that all earlier messages have arrived. */
  async function waitForEarlierMessages(stream: EventStreamClient, owner: SeededPerson): Promise<void> {
    const own = await chat.direct(as(owner), as(owner));
    const text = `mark ${Math.random()}`;
    await chat.post(own, as(owner), text);
    await stream.until(() => texts(stream).includes(text));
  }

  test("a message reaches members immediately, including the author's other streams, and no one else", async () => {
    const [annStream, bobStream, eveStream] = await Promise.all([
      harness.api.open(ann.token),
      harness.api.open(bob.token),
      harness.api.open(eve.token),
    ]);
    const { messageId, msgIndex, sentAt } = await chat.post(channel, as(ann), 'hello', {
      displayName: 'Ann!',
    });
    await Promise.all(
      [annStream, bobStream].map((stream) => stream.until(({ events }) => events.length === 1)),
    );
    expect(bobStream.events[0]).toEqual({
      event: 'message.new',
      id: messageId,
      message_id: messageId,
      conversation_id: channel,
      author_id: ann.id,
      author_type: 'user',
      text: 'hello',
      msg_index: msgIndex,
      sent_at: sentAt,
      is_system: false,
      display_name: 'Ann!',
      attachments: [],
      attachment_status: 'none',
      reactions: [],
      conversation_context: {
        conversation_id: channel,
        type: 'channel',
        scope: 'private',
        is_direct: false,
        is_public: false,
      },
    });
    expect(Object.keys(bobStream.events[0] ?? {}).slice(0, 6)).toEqual([
      'event',
      'message_id',
      'conversation_id',
      'author_id',
      'text',
      'msg_index',
    ]);
    expect(annStream.events).toEqual(bobStream.events);
    await waitForEarlierMessages(eveStream, eve);
    expect(eveStream.events).toHaveLength(1);
  });

  test('people who are not members receive nothing from a public channel', async () => {
    const open = await chat.conversation({ scope: 'public', members: [as(ann)] });
    const [annStream, eveStream] = await Promise.all([
      harness.api.open(ann.token),
      harness.api.open(eve.token),
    ]);
    await chat.post(open, as(ann), 'public');
    await annStream.until(() => texts(annStream).includes('public'));
    await waitForEarlierMessages(eveStream, eve);
    expect(texts(eveStream)).not.toContain('public');
  });

  test("a reply in a thread reaches the channel's members with its thread", async () => {
    const root = await chat.post(channel, as(ann), 'root');
    const bobStream = await harness.api.open(bob.token);
    const reply = await chat.post(channel, as(ann), 'reply', { parentMessageId: root.messageId });
    await bobStream.until(() => texts(bobStream).includes('reply'));
    expect(bobStream.events.at(-1)).toMatchObject({
      message_id: reply.messageId,
      conversation_id: reply.conversationId,
      thread_id: root.messageId,
      parent_message_id: root.messageId,
      conversation_context: { type: 'thread', scope: 'private', parent_conversation_id: channel },
    });
  });

  test('edits, reactions and deletions arrive as events', async () => {
    const { messageId, msgIndex } = await chat.post(channel, as(ann), 'first');
    const bobStream = await harness.api.open(bob.token);
    const { spaceId } = space;
    await runInWorkerTx(harness.db, (tx) =>
      editMessage.in(tx, { spaceId, messageId, editor: as(ann), text: 'second' }),
    );
    const reaction = { spaceId, messageId, actor: as(bob), emoji: '👍' };
    await runInWorkerTx(harness.db, (tx) => reactToMessage(tx, 'add', reaction));
    await runInWorkerTx(harness.db, (tx) => reactToMessage(tx, 'remove', reaction));
    await runInWorkerTx(harness.db, (tx) => deleteMessage.in(tx, { spaceId, messageId, actor: as(ann) }));
    await bobStream.until(({ events }) => events.some(({ event }) => event === 'message.deleted'));
    // The message was posted just before the stream opened, so its event may still arrive.
    const changes = bobStream.events.filter(({ event }) => event !== 'message.new');
    expect(changes.map(({ event }) => event)).toEqual([
      'message.edited',
      'reaction.added',
      'reaction.removed',
      'message.deleted',
    ]);
    const [edited, added, , deleted] = changes;
    expect(edited).toMatchObject({
      message_id: messageId,
      conversation_id: channel,
      msg_index: msgIndex,
      text: 'second',
      edited_at: expect.any(String) as string,
    });
    expect(added).toEqual({
      event: 'reaction.added',
      message_id: messageId,
      conversation_id: channel,
      emoji: '👍',
      user_id: bob.id,
    });
    expect(deleted).toMatchObject({
      message_id: messageId,
      conversation_id: channel,
      msg_index: msgIndex,
      text: '',
      deleted_at: expect.any(String) as string,
    });
  });

  test('200 quick messages arrive in order, each once, in both api processes', async () => {
    const streams = await Promise.all(harness.apis.map((api) => api.open(bob.token)));
    const wanted = Array.from({ length: 200 }, (_, n) => `message ${n}`);
    for (const text of wanted) await chat.post(channel, as(ann), text);
    await Promise.all(streams.map((stream) => stream.until(() => texts(stream).length >= 200)));
    for (const stream of streams) {
      expect(texts(stream)).toEqual(wanted);
      expect(stream.events.map(({ msg_index }) => msg_index)).toEqual(wanted.map((_, n) => n + 1));
    }
  });

  test('a client that connects during traffic receives every message after the headers, in order, each once', async () => {
    const opening: Promise<{ stream: EventStreamClient; from: number }>[] = [];
    let next = 1;
    for (; next <= 150; next += 1) {
      // Posting continues while a stream opens. Every message posted after its headers must arrive.
      const api = harness.apis[next % 20 === 0 ? 0 : 1];
      if (next % 10 === 0 && api)
        opening.push(api.open(bob.token).then((stream) => ({ stream, from: next + 1 })));
      await chat.post(channel, as(ann), `m${next}`);
    }
    const opened = await Promise.all(opening);
    await chat.post(channel, as(ann), 'last');
    await Promise.all(opened.map(({ stream }) => stream.until(() => texts(stream).includes('last'))));
    expect(opened).toHaveLength(15);
    for (const { stream, from } of opened) {
      const seen = stream.events.map(({ msg_index }) => msg_index as number);
      const first = seen[0] as number;
      expect(first).toBeLessThanOrEqual(from);
      expect(seen).toEqual(Array.from({ length: 152 - first }, (_, at) => first + at));
    }
  });

  test('a new member receives the messages sent after joining', async () => {
    const eveStream = await harness.api.open(eve.token);
    await chat.post(channel, as(ann), 'before');
    await runInWorkerTx(harness.db, (tx) =>
      addMember(tx, { spaceId: space.spaceId, conversationId: channel, member: as(eve) }),
    );
    await chat.post(channel, as(ann), 'after');
    await eveStream.until(() => texts(eveStream).includes('after'));
  });

  test('the first message of a new conversation arrives', async () => {
    const eveStream = await harness.api.open(eve.token);
    const created = await runInWorkerTx(harness.db, (tx) =>
      createConversation(tx, {
        spaceId: space.spaceId,
        type: 'channel',
        name: 'new',
        isPublic: false,
        creator: as(ann),
        members: [as(eve)],
      }),
    );
    await chat.post(created.id, as(ann), 'in a channel');
    await chat.post(await chat.direct(as(ann), as(eve)), as(ann), 'in a direct chat');
    await eveStream.until(() => texts(eveStream).length === 2);
    expect(texts(eveStream)).toEqual(['in a channel', 'in a direct chat']);
  });

  test('a removed member receives no message sent after the removal', async () => {
    const streams = await Promise.all(harness.apis.map((api) => api.open(bob.token)));
    for (let round = 0; round < 20; round += 1) {
      const conversationId = await chat.conversation({ scope: 'private', members: [as(ann)] });
      const change = { spaceId: space.spaceId, conversationId };
      await runInWorkerTx(harness.db, (tx) => addMember(tx, { ...change, member: as(bob) }));
      await chat.post(conversationId, as(ann), `seen ${round}`);
      await Promise.all(streams.map((stream) => stream.until(() => texts(stream).includes(`seen ${round}`))));
      await runInWorkerTx(harness.db, (tx) => removeMember(tx, { ...change, memberId: bob.id }));
      await chat.post(conversationId, as(ann), `secret ${round}`);
    }
    for (const stream of streams) {
      await waitForEarlierMessages(stream, bob);
      expect(texts(stream).filter((text) => String(text).startsWith('secret'))).toEqual([]);
    }
  });

  test('metadata is visible only to allowed people, the rest of the message to everyone', async () => {
    const [annStream, bobStream] = await Promise.all([
      harness.api.open(ann.token),
      harness.api.open(bob.token),
    ]);
    const metadataJson = JSON.stringify({ only: bob.id });
    await chat.post(channel, as(ann), 'buttons', { metadataJson });
    await chat.post(channel, as(ann), 'for all', { metadataJson: '{}' });
    await Promise.all([annStream, bobStream].map((stream) => stream.until(() => texts(stream).length === 2)));
    expect(bobStream.events.map((event) => event.metadata_json)).toEqual([metadataJson, '{}']);
    expect(annStream.events.map((event) => event.metadata_json)).toEqual([undefined, '{}']);
    expect(annStream.events[0]).toEqual({ ...bobStream.events[0], metadata_json: undefined });
  });

  test('an event for one person reaches all their streams in every process, and no one else', async () => {
    const streams = await Promise.all(harness.apis.map((api) => api.open(ann.token)));
    const bobStream = await harness.api.open(bob.token);
    const event = {
      event: 'ephemeral',
      conversation_id: channel,
      message_id: 'm',
      bot_id: 'b',
      text: 'only you',
    };
    harness.apis[1]?.app.get(LiveEvents).toPerson(space.spaceId, ann.id, event);
    await Promise.all(streams.map((stream) => stream.until(({ events }) => events.length === 1)));
    expect(streams.map(({ events }) => events)).toEqual([[event], [event]]);
    await waitForEarlierMessages(bobStream, bob);
    expect(bobStream.events).toHaveLength(1);
  });

  test('pings keep an idle stream alive', async () => {
    const annStream = await harness.api.open(ann.token);
    for (const count of [1, 2]) {
      await intervals.pass(PING_MS);
      await annStream.until(({ pings }) => pings.length === count);
    }
    expect(annStream.events).toEqual([]);
  });

  test('a person of another space with the same channel id receives nothing', async () => {
    const other = await seedSpace(harness.db);
    const foreign = await harness.api.open(other.owner.token);
    const annStream = await harness.api.open(ann.token);
    await chat.post(channel, as(bob), 'ours');
    await annStream.until(() => texts(annStream).includes('ours'));
    const there = new ChatFixture(harness.db, other.spaceId);
    await there.post(await there.direct(as(other.owner), as(other.owner)), as(other.owner), 'theirs');
    await foreign.until(() => texts(foreign).length > 0);
    expect(texts(foreign)).toEqual(['theirs']);
  });

  test('a closed stream is removed from the hub', async () => {
    const annStream = await harness.api.open(ann.token);
    const before = harness.api.streams.count;
    annStream.close();
    await eventually(() => harness.api.streams.count === before - 1);
    await chat.post(channel, as(bob), 'after the close');
    const again = await harness.api.open(ann.token);
    await chat.post(channel, as(bob), 'again');
    await again.until(() => texts(again).includes('again'));
  });
});
