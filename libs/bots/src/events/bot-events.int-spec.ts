import { archiveConversation, DeleteMessage, EditMessage, reactToMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { EventStreamClient } from '@tieline/testing';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsRig } from '../testing/events-rig.js';
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

const ALL = [
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_DELETED',
  'REACTION_ADDED',
  'REACTION_REMOVED',
  'CONVERSATION_CREATED',
  'CONVERSATION_ARCHIVED',
];
let rig: EventsRig;

beforeAll(async () => {
  rig = await EventsRig.start();
});
afterAll(() => rig?.close());

const typesOf = async (bot: SeededBot): Promise<string[]> => (await queued(rig, bot)).map(({ type }) => type);

describe('a bot gets events', () => {
  test('of public channels, of private ones and DMs that it is a member of, and of their threads; of no others', async () => {
    const [bot, other] = [await rig.bot(), await rig.bot({ event_delivery_mode: 'none' })];
    const places: [string, string][] = [
      ['public', await rig.channel('public')],
      ['private of its own', await rig.channel('private', bot)],
      ['own dm', await directOf(rig, bot)],
      ['foreign private', await rig.channel('private', other)],
      ['foreign dm', await directOf(rig, other)],
    ];
    for (const [name, id] of places) {
      const { messageId } = await rig.post(id, name);
      await rig.post(id, `${name}, thread`, { parentMessageId: messageId });
    }
    const elsewhere = await rig.otherSpace();
    await elsewhere.post(await elsewhere.channel(), 'another space');
    expect(await textsOf(rig, bot)).toEqual([
      'public',
      'public, thread',
      'private of its own',
      'private of its own, thread',
      'own dm',
      'own dm, thread',
    ]);
  });

  test('only of its channel_ids, threads by their channel; its own DMs whatever they are', async () => {
    const bot = await rig.bot({ event_delivery_mode: 'none' });
    const [listed, unlisted, listedPrivate, ownPrivate, dm] = [
      await rig.channel(),
      await rig.channel(),
      await rig.channel('private', bot),
      await rig.channel('private', bot),
      await directOf(rig, bot),
    ];
    await rig.change(bot, {
      channel_ids: [listed, listedPrivate],
      event_delivery_mode: 'poll',
      event_types: ALL,
    });
    for (const [name, id] of Object.entries({ listed, unlisted, listedPrivate, ownPrivate, dm })) {
      const { messageId } = await rig.post(id, name);
      await rig.post(id, `${name}, thread`, { parentMessageId: messageId });
    }
    await newChannel(rig, true);
    for (const conversationId of [listed, unlisted])
      await runInWorkerTx(rig.api.db, (tx) =>
        archiveConversation(tx, { spaceId: rig.space.spaceId, conversationId, actor: person(rig.owner.id) }),
      );
    const events = await queued(rig, bot);
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

  test('of its event_types only; of none when there are none', async () => {
    const [none, deletions] = [
      await rig.bot({ event_types: [] }),
      await rig.bot({ event_types: ['MESSAGE_DELETED', 'REACTION_ADDED'] }),
    ];
    const { messageId } = await rig.post(await rig.channel(), 'x');
    await runInWorkerTx(rig.api.db, async (tx) => {
      const { spaceId, owner } = rig.space;
      await rig.api.app
        .get(EditMessage)
        .in(tx, { spaceId, messageId, editor: person(rig.owner.id), text: 'y' });
      await reactToMessage(tx, 'add', { spaceId, messageId, actor: person(owner.id), emoji: '👍' });
      await reactToMessage(tx, 'remove', { spaceId, messageId, actor: person(owner.id), emoji: '👍' });
      await rig.api.app.get(DeleteMessage).in(tx, { spaceId, messageId, actor: person(rig.owner.id) });
    });
    expect(await typesOf(none)).toEqual([]);
    expect(await typesOf(deletions)).toEqual(['REACTION_ADDED', 'MESSAGE_DELETED']);
  });

  test('but not of what it did itself, not even in its DM', async () => {
    const [bot, other] = [await rig.bot({ event_types: ALL }), await rig.bot({ event_types: ALL })];
    const [channel, dm] = [await rig.channel('public', bot, other), await directOf(rig, bot)];
    const { messageId } = await rig.chat.post(channel, asBot(bot), 'mine');
    await rig.chat.post(dm, asBot(bot), 'mine too');
    const { spaceId, owner } = rig.space;
    await runInWorkerTx(rig.api.db, (tx) =>
      rig.api.app.get(EditMessage).in(tx, { spaceId, messageId, editor: asBot(bot), text: 'edited' }),
    );
    await runInWorkerTx(rig.api.db, (tx) =>
      reactToMessage(tx, 'add', { spaceId, messageId, actor: person(owner.id), emoji: '👍' }),
    );
    await runInWorkerTx(rig.api.db, (tx) =>
      rig.api.app
        .get(DeleteMessage)
        .in(tx, { spaceId, messageId, actor: person(rig.owner.id), role: 'owner' }),
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
    const bot = await rig.bot({ event_types: ALL });
    const [open, own, foreign] = [
      await newChannel(rig, true),
      await newChannel(rig, false, bot),
      await newChannel(rig, false),
    ];
    const dm = await directOf(rig, bot, (await rig.space.person('member')).id);
    await rig
      .post(own, 'root')
      .then(({ messageId }) => rig.post(own, 'reply', { parentMessageId: messageId }));
    const created = (await queued(rig, bot))
      .filter(({ type }) => type === 'CONVERSATION_CREATED')
      .map(({ data }) => data.conversation_id);
    expect(created).toEqual([open, own]);
    expect(created).not.toContain(foreign);
    expect(created).not.toContain(dm);
  });
});

describe('one event', () => {
  test('has one event_id and the same data in the queue and in a push', async () => {
    const [poller, pushed] = [await rig.bot(), await rig.pushedBot()];
    const { eventId, messageId } = await rig.post(await rig.channel(), 'héllo ✓');
    const [record] = await queued(rig, poller);
    await rig.sent(pushed);
    const [{ delivery_id: deliveryId }] = await rig.deliveries(pushed);
    // Picked by its id: ports are used again, and somebody else's request may come to this one.
    const request = await pushed.receiver.waitFor(({ headers }) => headers['webhook-id'] === deliveryId);
    const body = JSON.parse(request.body.toString());
    expect(record).toMatchObject({
      eventId,
      type: 'MESSAGE_CREATED',
      data: { message_id: messageId, text: 'héllo ✓', conversation_context: { scope: 'public' } },
    });
    expect(body).toMatchObject({ event_id: eventId, data: record?.data });
    expect(await queued(rig, pushed)).toEqual([]);
    expect(await rig.deliveries(poller)).toEqual([]);
  });

  test('comes in the order of the commits, whatever came together', async () => {
    const bot = await rig.bot();
    const channel = await rig.channel();
    await Promise.all(Array.from({ length: 40 }, (_, n) => rig.post(channel, `${n}`)));
    expect((await queued(rig, bot)).map(({ data }) => data.msg_index)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
  });
});

describe('as of the commit of an event', () => {
  test('membership counts: removed right after it the bot gets it, added right after it not', async () => {
    const [leaving, coming] = [await rig.bot(), await rig.bot()];
    const channel = await rig.channel('private', leaving);
    const { messageId } = await rig.post(channel, 'root');
    await beforePlanning(rig, async () => {
      await rig.post(channel, 'before');
      await rig.post(channel, 'before, thread', { parentMessageId: messageId });
      await leave(rig, leaving, channel);
      await join(rig, coming, channel);
      await rig.post(channel, 'after');
      await rig.post(channel, 'after, thread', { parentMessageId: messageId });
    });
    expect(await textsOf(rig, leaving)).toEqual(['root', 'before', 'before, thread']);
    expect(await textsOf(rig, coming)).toEqual(['after', 'after, thread']);
  });

  test('mode, event types, channels and is_active count', async () => {
    const [changing, typed, filtered, disabled, enabled, deleted] = await Promise.all([
      rig.bot(),
      rig.bot(),
      rig.bot(),
      rig.bot(),
      rig.bot({ is_active: false }),
      rig.bot(),
    ]);
    const { receiver } = await rig.pushedBot({ event_types: [] });
    const [channel, elsewhere] = [await rig.channel(), await rig.channel()];
    await beforePlanning(rig, async () => {
      await rig.post(channel, 'one');
      await rig.change(changing, { event_delivery_mode: 'webhook', webhook_url: `${receiver.url}/events` });
      await rig.change(typed, { event_types: [] });
      await rig.change(filtered, { channel_ids: [elsewhere] });
      await rig.change(disabled, { is_active: false });
      await rig.change(enabled, { is_active: true });
      await rig.admin('DELETE', `/bots/${deleted.id}`);
      await rig.post(channel, 'two');
      await rig.change(changing, { event_delivery_mode: 'none' });
      await rig.post(channel, 'three');
      await rig.change(changing, { event_delivery_mode: 'webhook' });
      await rig.post(channel, 'four');
    });
    for (const bot of [changing, typed, filtered, disabled, deleted])
      expect(await textsOf(rig, bot)).toEqual(['one']);
    expect(await textsOf(rig, enabled)).toEqual(['two', 'three', 'four']);
    await rig.sent(changing);
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).data.text).sort()).toEqual([
      'four',
      'two',
    ]);
  });

  test('a new relay knows the settings that an earlier one has planned', async () => {
    const bot = await rig.bot();
    await rig.planned();
    await rig.api.db.query("UPDATE outbox_relay SET relay_id = '0198f3a2-7c1b-7000-8000-00000000ffff'");
    await rig.post(await rig.channel(), 'hello');
    expect(await textsOf(rig, bot)).toEqual(['hello']);
    expect(await rig.api.db.query('SELECT config FROM bot_plans WHERE id = $1', [bot.id])).toEqual([
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

  test('what another relay has planned since is read again', async () => {
    const [bot, channel] = [await rig.bot(), await rig.channel()];
    await rig.post(channel, 'one');
    await rig.planned();
    await runInWorkerTx(rig.api.db, async (tx) => {
      await tx.query("UPDATE outbox_relay SET relay_id = '0198f3a2-7c1b-7000-8000-00000000fffe'");
      await tx.query(`UPDATE bot_plans SET config = config || '{"mode": "none"}' WHERE id = $1`, [bot.id]);
    });
    await rig.post(channel, 'two');
    expect(await textsOf(rig, bot)).toEqual(['one']);
  });
});

describe('messages of DMs and their threads', () => {
  const inboxOf = async ({ id }: SeededBot) => {
    await rig.planned();
    return rig.api.db.query(
      'SELECT message_id AS "messageId", conversation_id AS "conversationId", event_id AS "eventId" FROM dm_inbox WHERE bot_id = $1 ORDER BY position',
      [id],
    );
  };

  test('go to the inbox of the bot, whatever its mode and event types, but for its own', async () => {
    const [silent, disabled] = [
      await rig.bot({ event_delivery_mode: 'none', event_types: [] }),
      await rig.bot({ is_active: false }),
    ];
    const [dm, channel] = [await directOf(rig, silent), await rig.channel('private', silent)];
    const first = await rig.post(dm, 'one');
    const second = await rig.post(dm, 'two', { parentMessageId: first.messageId });
    await rig.chat.post(dm, asBot(silent), 'answer');
    await runInWorkerTx(rig.api.db, (tx) =>
      rig.api.app.get(EditMessage).in(tx, {
        spaceId: rig.space.spaceId,
        messageId: first.messageId,
        editor: person(rig.owner.id),
        text: 'edited',
      }),
    );
    await rig.post(channel, 'no DM');
    await rig.post(await directOf(rig, disabled), 'to nobody');
    expect(await inboxOf(silent)).toEqual(
      [first, second].map(({ messageId, conversationId, eventId }) => ({
        messageId,
        conversationId,
        eventId,
      })),
    );
    expect([await inboxOf(disabled), await queued(rig, silent)]).toEqual([[], []]);
  });

  test('come on an open stream', async () => {
    const bot = await rig.bot();
    const dm = await directOf(rig, bot);
    const stream = await EventStreamClient.open(`${rig.api.url}/api/v1/bot/stream`, bot.token);
    try {
      const { messageId } = await rig.post(dm, 'live');
      await stream.until(({ events }) => events.length > 0);
      expect(stream.events).toMatchObject([{ event: 'message.new', message_id: messageId, text: 'live' }]);
    } finally {
      stream.close();
    }
  });
});
