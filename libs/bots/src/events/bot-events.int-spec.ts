import { DeleteMessage, EditMessage, reactToMessage } from '@tieline/conversations';
import { archiveConversation } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { EventStreamClient } from '@tieline/testing';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';
import { SUBSCRIBABLE_EVENT_TYPES as ALL } from './dto/event-types.js';
import {
  asBot,
  beforePlanning,
  directOf,
  join,
  leave,
  newChannel,
  person,
  queued,
  textsOf,
} from './testing/planning.js';

let harness: EventsHarness;

beforeAll(async () => {
  harness = await EventsHarness.start();
});
afterAll(() => harness?.close());

const typesOf = async (bot: SeededBot): Promise<string[]> =>
  (await queued(harness, bot)).map(({ type }) => type);

describe('a bot receives events', () => {
  test('of public channels, of its private channels and DMs, and of their threads; of no others', async () => {
    const [bot, other] = [await harness.bot(), await harness.bot({ event_delivery_mode: 'none' })];
    const places: [string, string][] = [
      ['public', await harness.channel('public')],
      ['its private channel', await harness.channel('private', bot)],
      ['own dm', await directOf(harness, bot)],
      ['foreign private', await harness.channel('private', other)],
      ['foreign dm', await directOf(harness, other)],
    ];
    for (const [name, id] of places) {
      const { messageId } = await harness.post(id, name);
      await harness.post(id, `${name}, thread`, { parentMessageId: messageId });
    }
    const elsewhere = await harness.otherSpace();
    await elsewhere.post(await elsewhere.channel(), 'another space');
    expect(await textsOf(harness, bot)).toEqual([
      'public',
      'public, thread',
      'its private channel',
      'its private channel, thread',
      'own dm',
      'own dm, thread',
    ]);
  });

  test('only of its channel_ids, threads by their channel; its own DMs are never limited', async () => {
    const bot = await harness.bot({ event_delivery_mode: 'none' });
    const [listed, unlisted, listedPrivate, ownPrivate, dm] = [
      await harness.channel(),
      await harness.channel(),
      await harness.channel('private', bot),
      await harness.channel('private', bot),
      await directOf(harness, bot),
    ];
    await harness.change(bot, {
      channel_ids: [listed, listedPrivate],
      event_delivery_mode: 'poll',
      event_types: ALL,
    });
    for (const [name, id] of Object.entries({ listed, unlisted, listedPrivate, ownPrivate, dm })) {
      const { messageId } = await harness.post(id, name);
      await harness.post(id, `${name}, thread`, { parentMessageId: messageId });
    }
    await newChannel(harness, true);
    for (const conversationId of [listed, unlisted])
      await runInWorkerTx(harness.api.db, (tx) =>
        archiveConversation(tx, {
          spaceId: harness.space.spaceId,
          conversationId,
          actor: person(harness.owner.id),
        }),
      );
    const events = await queued(harness, bot);
    expect(events.map(({ type, data }) => (type === 'MESSAGE_CREATED' ? data.text : type))).toEqual([
      'listed',
      'listed, thread',
      'listedPrivate',
      'listedPrivate, thread',
      'dm',
      'dm, thread',
      'CONVERSATION_ARCHIVED',
    ]);
    expect(events.at(-1)?.data.conversation_id).toBe(listed);
  });

  test('only of its event_types; of none if there are none', async () => {
    const [none, deletions] = [
      await harness.bot({ event_types: [] }),
      await harness.bot({ event_types: ['MESSAGE_DELETED', 'REACTION_ADDED'] }),
    ];
    const { messageId } = await harness.post(await harness.channel(), 'x');
    await runInWorkerTx(harness.api.db, async (tx) => {
      const { spaceId, owner } = harness.space;
      await harness.api.app
        .get(EditMessage)
        .in(tx, { spaceId, messageId, editor: person(harness.owner.id), text: 'y' });
      await reactToMessage(tx, 'add', { spaceId, messageId, actor: person(owner.id), emoji: '👍' });
      await reactToMessage(tx, 'remove', { spaceId, messageId, actor: person(owner.id), emoji: '👍' });
      await harness.api.app
        .get(DeleteMessage)
        .in(tx, { spaceId, messageId, actor: person(harness.owner.id) });
    });
    expect(await typesOf(none)).toEqual([]);
    expect(await typesOf(deletions)).toEqual(['REACTION_ADDED', 'MESSAGE_DELETED']);
  });

  test('except those it caused itself, even in its DM', async () => {
    const [bot, other] = [await harness.bot({ event_types: ALL }), await harness.bot({ event_types: ALL })];
    const [channel, dm] = [await harness.channel('public', bot, other), await directOf(harness, bot)];
    const { messageId } = await harness.chat.post(channel, asBot(bot), 'mine');
    await harness.chat.post(dm, asBot(bot), 'mine too');
    const { spaceId, owner } = harness.space;
    await runInWorkerTx(harness.api.db, (tx) =>
      harness.api.app.get(EditMessage).in(tx, { spaceId, messageId, editor: asBot(bot), text: 'edited' }),
    );
    await runInWorkerTx(harness.api.db, (tx) =>
      reactToMessage(tx, 'add', { spaceId, messageId, actor: person(owner.id), emoji: '👍' }),
    );
    await runInWorkerTx(harness.api.db, (tx) =>
      harness.api.app
        .get(DeleteMessage)
        .in(tx, { spaceId, messageId, actor: person(harness.owner.id), role: 'owner' }),
    );
    expect(await typesOf(other)).toEqual([
      'MESSAGE_CREATED',
      'MESSAGE_UPDATED',
      'REACTION_ADDED',
      'MESSAGE_DELETED',
    ]);
    expect(await typesOf(bot)).toEqual(['REACTION_ADDED', 'MESSAGE_DELETED']);
  });

  test('CONVERSATION_* of what it can see, never of DMs and threads', async () => {
    const bot = await harness.bot({ event_types: ALL });
    const [open, own, foreign] = [
      await newChannel(harness, true),
      await newChannel(harness, false, bot),
      await newChannel(harness, false),
    ];
    const dm = await directOf(harness, bot, (await harness.space.person('member')).id);
    await harness
      .post(own, 'root')
      .then(({ messageId }) => harness.post(own, 'reply', { parentMessageId: messageId }));
    const created = (await queued(harness, bot))
      .filter(({ type }) => type === 'CONVERSATION_CREATED')
      .map(({ data }) => data.conversation_id);
    expect(created).toEqual([open, own]);
    expect(created).not.toContain(foreign);
    expect(created).not.toContain(dm);
  });
});

describe('one event', () => {
  test('has one event_id and the same data in the queue and in a push', async () => {
    const [poller, pushed] = [await harness.bot(), await harness.pushedBot()];
    const { eventId, messageId } = await harness.post(await harness.channel(), 'héllo ✓');
    const [record] = await queued(harness, poller);
    await harness.sent(pushed);
    const [{ delivery_id: deliveryId }] = await harness.deliveries(pushed);
    // Selected by its id: ports are reused, and another test's request may arrive here.
    const request = await pushed.receiver.waitFor(({ headers }) => headers['webhook-id'] === deliveryId);
    const body = JSON.parse(request.body.toString());
    expect(record).toMatchObject({
      eventId,
      type: 'MESSAGE_CREATED',
      data: { message_id: messageId, text: 'héllo ✓', conversation_context: { scope: 'public' } },
    });
    expect(body).toMatchObject({ event_id: eventId, data: record?.data });
    expect(await queued(harness, pushed)).toEqual([]);
    expect(await harness.deliveries(poller)).toEqual([]);
  });

  test('arrives in commit order, even if planned together', async () => {
    const bot = await harness.bot();
    const channel = await harness.channel();
    await Promise.all(Array.from({ length: 40 }, (_, n) => harness.post(channel, `${n}`)));
    expect((await queued(harness, bot)).map(({ data }) => data.msg_index)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
  });
});

describe('as of the commit of an event', () => {
  test('membership counts: a bot removed right after it receives it, one added right after it does not', async () => {
    const [leaving, coming] = [await harness.bot(), await harness.bot()];
    const channel = await harness.channel('private', leaving);
    const { messageId } = await harness.post(channel, 'root');
    await beforePlanning(harness, async () => {
      await harness.post(channel, 'before');
      await harness.post(channel, 'before, thread', { parentMessageId: messageId });
      await leave(harness, leaving, channel);
      await join(harness, coming, channel);
      await harness.post(channel, 'after');
      await harness.post(channel, 'after, thread', { parentMessageId: messageId });
    });
    expect(await textsOf(harness, leaving)).toEqual(['root', 'before', 'before, thread']);
    expect(await textsOf(harness, coming)).toEqual(['after', 'after, thread']);
  });

  test('mode, event types, channels and is_active count', async () => {
    const [changing, typed, filtered, disabled, enabled, deleted] = await Promise.all([
      harness.bot(),
      harness.bot(),
      harness.bot(),
      harness.bot(),
      harness.bot({ is_active: false }),
      harness.bot(),
    ]);
    const { receiver } = await harness.pushedBot({ event_types: [] });
    const [channel, elsewhere] = [await harness.channel(), await harness.channel()];
    await beforePlanning(harness, async () => {
      await harness.post(channel, 'one');
      await harness.change(changing, {
        event_delivery_mode: 'webhook',
        webhook_url: `${receiver.url}/events`,
      });
      await harness.change(typed, { event_types: [] });
      await harness.change(filtered, { channel_ids: [elsewhere] });
      await harness.change(disabled, { is_active: false });
      await harness.change(enabled, { is_active: true });
      await harness.admin('DELETE', `/bots/${deleted.id}`);
      await harness.post(channel, 'two');
      await harness.change(changing, { event_delivery_mode: 'none' });
      await harness.post(channel, 'three');
      await harness.change(changing, { event_delivery_mode: 'webhook' });
      await harness.post(channel, 'four');
    });
    for (const bot of [changing, typed, filtered, disabled, deleted])
      expect(await textsOf(harness, bot)).toEqual(['one']);
    expect(await textsOf(harness, enabled)).toEqual(['two', 'three', 'four']);
    await harness.sent(changing);
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).data.text).sort()).toEqual([
      'four',
      'two',
    ]);
  });

  test('a new relay knows the settings that an earlier one has planned', async () => {
    const bot = await harness.bot();
    await harness.planned();
    await harness.api.db.query("UPDATE outbox_relay SET relay_id = '0198f3a2-7c1b-7000-8000-00000000ffff'");
    await harness.post(await harness.channel(), 'hello');
    expect(await textsOf(harness, bot)).toEqual(['hello']);
    expect(await harness.api.db.query('SELECT config FROM bot_plans WHERE id = $1', [bot.id])).toEqual([
      {
        config: {
          id: bot.id,
          mode: 'poll',
          channelIds: [],
          eventTypes: ['MESSAGE_CREATED'],
          retryProfile: 'contract',
        },
      },
    ]);
  });

  test('settings that another relay has planned in between are read again', async () => {
    const [bot, channel] = [await harness.bot(), await harness.channel()];
    await harness.post(channel, 'one');
    await harness.planned();
    await runInWorkerTx(harness.api.db, async (tx) => {
      await tx.query("UPDATE outbox_relay SET relay_id = '0198f3a2-7c1b-7000-8000-00000000fffe'");
      await tx.query(`UPDATE bot_plans SET config = config || '{"mode": "none"}' WHERE id = $1`, [bot.id]);
    });
    await harness.post(channel, 'two');
    expect(await textsOf(harness, bot)).toEqual(['one']);
  });
});

describe('messages of DMs and their threads', () => {
  const inboxOf = async ({ id }: SeededBot) => {
    await harness.planned();
    return harness.api.db.query(
      'SELECT message_id AS "messageId", conversation_id AS "conversationId", event_id AS "eventId" FROM dm_inbox WHERE bot_id = $1 ORDER BY position',
      [id],
    );
  };

  test("are added to the bot's inbox, whatever its mode and event types, except its own", async () => {
    const [silent, disabled] = [
      await harness.bot({ event_delivery_mode: 'none', event_types: [] }),
      await harness.bot({ is_active: false }),
    ];
    const [dm, channel] = [await directOf(harness, silent), await harness.channel('private', silent)];
    const first = await harness.post(dm, 'one');
    const second = await harness.post(dm, 'two', { parentMessageId: first.messageId });
    await harness.chat.post(dm, asBot(silent), 'answer');
    await runInWorkerTx(harness.api.db, (tx) =>
      harness.api.app.get(EditMessage).in(tx, {
        spaceId: harness.space.spaceId,
        messageId: first.messageId,
        editor: person(harness.owner.id),
        text: 'edited',
      }),
    );
    await harness.post(channel, 'no DM');
    await harness.post(await directOf(harness, disabled), 'to nobody');
    expect(await inboxOf(silent)).toEqual(
      [first, second].map(({ messageId, conversationId, eventId }) => ({
        messageId,
        conversationId,
        eventId,
      })),
    );
    expect([await inboxOf(disabled), await queued(harness, silent)]).toEqual([[], []]);
  });

  test('arrive on an open stream', async () => {
    const bot = await harness.bot();
    const dm = await directOf(harness, bot);
    const stream = await EventStreamClient.open(`${harness.api.url}/api/v1/bot/stream`, bot.token);
    try {
      const { messageId } = await harness.post(dm, 'live');
      await stream.until(({ events }) => events.length > 0);
      expect(stream.events).toMatchObject([{ event: 'message.new', message_id: messageId, text: 'live' }]);
    } finally {
      stream.close();
    }
  });
});
