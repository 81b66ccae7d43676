import { HeldIntervals } from '@tieline/testing';
import type { EventStreamClient } from '@tieline/testing';
import { OPERATOR_TOKEN } from '@tieline/spaces/testing';
import { DmHarness } from '../testing/dm-harness.js';
import type { DmBot } from '../testing/dm-harness.js';

const textsOf = ({ events }: EventStreamClient): unknown[] => events.map(({ text }) => text);

/** Waits for this text, so that all earlier messages have arrived. */
async function arrived(stream: EventStreamClient, text: string): Promise<unknown[]> {
  await stream.until(() => textsOf(stream).includes(text));
  return textsOf(stream);
}

const PING_MS = 8000;
/** Streams are pinged in this many portions. */
const PING_SLOTS = 20;
/** The periodic verification of access checks one of its portions this often. */
const VERIFY_SLOT_MS = 200;

describe('DM streams', () => {
  let intervals: HeldIntervals;
  let harness: DmHarness;
  let bot: DmBot;

  beforeAll(async () => {
    intervals = new HeldIntervals(VERIFY_SLOT_MS, PING_MS / PING_SLOTS);
    harness = await DmHarness.start(2, {
      STREAM_KEEPALIVE_SECONDS: String(PING_MS / 1000),
      DM_INBOX_LIMIT: '12',
      DM_INBOX_TTL_HOURS: '2',
    });
  });
  afterAll(async () => {
    await harness?.close();
    intervals.release();
  });
  beforeEach(async () => {
    bot = await harness.bot();
  });

  test('a message has exactly the documented fields', async () => {
    const stream = await harness.api.open(bot.token);
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(stream.events).toEqual([]);
    const mentioning = `hello <@${bot.id}>`;
    const messageId = await harness.say(bot, mentioning);
    await arrived(stream, mentioning);
    const event = stream.events[0] as Record<string, unknown>;
    expect(Object.keys(event)).toEqual([
      'event',
      'message_id',
      'conversation_id',
      'author_id',
      'text',
      'msg_index',
      'sent_at',
      'conversation_context',
    ]);
    expect(event).toEqual({
      event: 'message.new',
      message_id: messageId,
      conversation_id: bot.dm,
      author_id: harness.ann.id,
      text: mentioning,
      msg_index: 1,
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      conversation_context: {
        conversation_id: bot.dm,
        type: 'chat',
        scope: 'dm',
        is_direct: true,
        is_public: false,
      },
    });
  });

  test('sent_at on the stream is that of the event', async () => {
    const stream = await harness.api.open(bot.token);
    const { sentAt } = await harness.chat.post(bot.dm, { id: harness.ann.id, type: 'user' }, 'when?');
    await arrived(stream, 'when?');
    expect(stream.events[0]?.sent_at).toBe(sentAt);
  });

  test('a thread of a direct chat is streamed, with the context of a thread and no flat thread fields', async () => {
    const stream = await harness.api.open(bot.token);
    const root = await harness.say(bot, 'root');
    await arrived(stream, 'root');
    const response = await harness.api.call(
      'POST',
      `/api/v1/client/conversations/${bot.dm}/messages`,
      harness.ann.token,
      { text: 'reply', parent_message_id: root },
    );
    expect(response.status).toBe(200);
    await arrived(stream, 'reply');
    const event = stream.events[1] as Record<string, unknown>;
    const thread = event.conversation_id;
    expect(thread).not.toBe(bot.dm);
    expect(Object.keys(event)).toEqual(Object.keys(stream.events[0] as object));
    expect(event).toMatchObject({ author_id: harness.ann.id, msg_index: 1 });
    expect(event.conversation_context).toEqual({
      conversation_id: thread,
      type: 'thread',
      scope: 'dm',
      is_direct: true,
      is_public: false,
      parent_conversation_id: bot.dm,
      parent_conversation_type: 'chat',
      parent_is_public: false,
    });
  });

  test("channels, edits, deletions and the bot's own messages are not streamed", async () => {
    const stream = await harness.api.open(bot.token);
    const [ann, itself] = [
      { id: harness.ann.id, type: 'user' as const },
      { id: bot.id, type: 'bot' as const },
    ];
    for (const scope of ['public', 'private'] as const) {
      const channel = await harness.chat.conversation({ scope, members: [ann, itself] });
      await harness.chat.post(channel, ann, `in a ${scope} channel for <@${bot.id}>`);
    }
    await harness.chat.post(bot.dm, itself, 'said by the bot');
    const message = await harness.say(bot, 'said by Ann');
    await arrived(stream, 'said by Ann');
    await harness.api.call('PATCH', `/api/v1/client/messages/${message}`, harness.ann.token, {
      text: 'edited',
    });
    await harness.api.call('DELETE', `/api/v1/client/messages/${message}`, harness.ann.token);
    await harness.say(bot, 'last');
    expect(await arrived(stream, 'last')).toEqual(['said by Ann', 'last']);
  });

  test.each(['none', 'poll', 'webhook'])('a bot in mode %s has a stream', async (mode) => {
    const settings = {
      event_delivery_mode: mode,
      event_types: [],
      channel_ids: [],
      webhook_url: 'https://receiver.example/hook',
    };
    expect(
      (await harness.api.call('PATCH', `/api/v1/admin/bots/${bot.id}`, harness.space.owner.token, settings))
        .status,
    ).toBe(200);
    const stream = await harness.api.open(bot.token);
    await harness.say(bot, 'hello');
    expect(await arrived(stream, 'hello')).toEqual(['hello']);
  });

  test("messages from the bot's absence come first, in order, and are not repeated on the next stream", async () => {
    const sent = Array.from({ length: 12 }, (_, n) => `m${n}`);
    for (const text of sent) await harness.say(bot, text);
    await harness.planned();
    const first = await harness.api.open(bot.token);
    await harness.say(bot, 'live');
    expect(await arrived(first, 'live')).toEqual([...sent, 'live']);
    first.close();
    await harness.got(bot);
    const second = await harness.apis[1]!.open(bot.token);
    await harness.say(bot, 'later');
    expect(await arrived(second, 'later')).toEqual(['later']);
  });

  test('only the latest DM_INBOX_LIMIT messages wait', async () => {
    for (let n = 0; n < 17; n += 1) await harness.say(bot, `m${n}`);
    await harness.planned();
    const stream = await harness.api.open(bot.token);
    await harness.say(bot, 'live');
    expect(await arrived(stream, 'live')).toEqual([
      ...Array.from({ length: 12 }, (_, n) => `m${n + 5}`),
      'live',
    ]);
    stream.close();
  });

  test('the limit does not affect live messages of a stream', async () => {
    const stream = await harness.api.open(bot.token);
    await Promise.all(Array.from({ length: 60 }, (_, n) => harness.say(bot, `m${n}`)));
    await stream.until(({ events }) => events.length === 60);
    expect(stream.events.map(({ msg_index }) => msg_index)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
  });

  test('messages older than DM_INBOX_TTL_HOURS are skipped and do not delay the others', async () => {
    for (const text of ['old', 'young']) await harness.say(bot, text);
    await harness.planned();
    await harness.db.query(
      `UPDATE dm_inbox d SET created_at = now() - CASE m.text WHEN 'old' THEN interval '121 minutes' ELSE interval '119 minutes' END
         FROM messages m WHERE m.id = d.message_id AND d.bot_id = $1`,
      [bot.id],
    );
    const stream = await harness.api.open(bot.token);
    expect(await arrived(stream, 'young')).toEqual(['young']);
  });

  test('an offline message has its current text; a deleted one is skipped', async () => {
    const [edited, deleted] = [await harness.say(bot, 'draft'), await harness.say(bot, 'oops')];
    await harness.say(bot, 'last');
    expect(
      (
        await harness.api.call('PATCH', `/api/v1/client/messages/${edited}`, harness.ann.token, {
          text: 'final',
        })
      ).status,
    ).toBe(200);
    expect(
      (await harness.api.call('DELETE', `/api/v1/client/messages/${deleted}`, harness.ann.token)).status,
    ).toBe(200);
    await harness.planned();
    const stream = await harness.api.open(bot.token);
    expect(await arrived(stream, 'last')).toEqual(['final', 'last']);
  });

  test('two streams of a bot in two processes both receive live messages', async () => {
    const streams = await Promise.all([
      harness.api.open(bot.token),
      harness.apis[1]!.open(bot.token),
      harness.apis[1]!.open(bot.token),
    ]);
    for (let n = 0; n < 20; n += 1) await harness.say(bot, `m${n}`);
    for (const stream of streams)
      expect(await arrived(stream, 'm19')).toEqual(Array.from({ length: 20 }, (_, n) => `m${n}`));
  });

  test('a bot receives nothing of another bot', async () => {
    const other = await harness.bot();
    const [stream, others] = [await harness.api.open(bot.token), await harness.api.open(other.token)];
    await harness.say(bot, 'for the first');
    await arrived(stream, 'for the first');
    await harness.say(other, 'for the other');
    expect(await arrived(others, 'for the other')).toEqual(['for the other']);
  });

  test('a :ping arrives every STREAM_KEEPALIVE_SECONDS', async () => {
    const stream = await harness.api.open(bot.token);
    for (const count of [1, 2, 3]) {
      await intervals.pass(PING_MS);
      const text = `after ping ${count}`;
      await harness.say(bot, text);
      await arrived(stream, text);
      expect(stream.pings).toHaveLength(count);
    }
  });

  test("a missing, unknown or person's token and other methods open no stream", async () => {
    const url = `${harness.api.url}/api/v1/bot/stream`;
    const before = harness.api.streams.count;
    const authorization = `Bearer ${bot.token}`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: 'Bearer tlb_unknown' } })).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: `Bearer ${harness.ann.token}` } })).status).toBe(
      401,
    );
    expect((await fetch(url, { method: 'HEAD', headers: { authorization } })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', headers: { authorization } })).status).toBe(405);
    expect(harness.api.streams.count).toBe(before);
  });

  test.each([
    [
      'is disabled',
      (owner: string) =>
        harness.api.call('PATCH', `/api/v1/admin/bots/${bot.id}`, owner, { is_active: false }),
    ],
    ['is deleted', (owner: string) => harness.api.call('DELETE', `/api/v1/admin/bots/${bot.id}`, owner)],
    [
      'gets a new token',
      (owner: string) => harness.api.call('POST', `/api/v1/admin/bots/${bot.id}/regenerate_token`, owner),
    ],
    [
      'is reset',
      (owner: string) =>
        harness.api.call('POST', `/api/v1/admin/bots/${bot.id}/regenerate_token`, owner, { reset: true }),
    ],
  ])(
    'when the bot %s, its streams end without waiting for the periodic verification, in every process',
    async (_, revoke) => {
      const streams = await Promise.all(harness.apis.map((api) => api.open(bot.token)));
      expect((await revoke(harness.space.owner.token)).status).toBe(200);
      await Promise.all(streams.map((stream) => stream.until(({ ended }) => ended)));
      expect((await harness.api.open(bot.token)).status).toBe(401);
    },
  );

  test('when the space becomes inactive, its streams end in the same way, in every process', async () => {
    const streams = await Promise.all(harness.apis.map((api) => api.open(bot.token)));
    const space = `/api/v1/operator/spaces/${harness.space.spaceId}`;
    expect((await harness.api.call('PATCH', space, OPERATOR_TOKEN, { is_active: false })).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.until(({ ended }) => ended)));
    expect((await harness.api.open(bot.token)).status).toBe(401);
    expect((await harness.api.call('PATCH', space, OPERATOR_TOKEN, { is_active: true })).status).toBe(200);
  });

  test('a new token resumes where the old one was', async () => {
    const stream = await harness.api.open(bot.token);
    await harness.say(bot, 'got');
    await arrived(stream, 'got');
    const { body } = await harness.api.call(
      'POST',
      `/api/v1/admin/bots/${bot.id}/regenerate_token`,
      harness.space.owner.token,
    );
    await stream.until(({ ended }) => ended);
    await harness.got(bot);
    await harness.say(bot, 'waits');
    await harness.planned();
    expect(await arrived(await harness.apis[1]!.open(body.token), 'waits')).toEqual(['waits']);
  });
});
