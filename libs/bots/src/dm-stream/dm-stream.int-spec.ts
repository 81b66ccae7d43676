import { slackMs } from '@tieline/testing';
import type { EventStreamClient } from '@tieline/testing';
import { OPERATOR_TOKEN } from '@tieline/spaces/testing';
import { DmRig } from '../testing/dm-rig.js';
import type { DmBot } from '../testing/dm-rig.js';

const textsOf = ({ events }: EventStreamClient): unknown[] => events.map(({ text }) => text);

/** Once this text has come, everything before it has. */
async function arrived(stream: EventStreamClient, text: string): Promise<unknown[]> {
  await stream.until(() => textsOf(stream).includes(text));
  return textsOf(stream);
}

describe('DM streams', () => {
  let rig: DmRig;
  let bot: DmBot;

  beforeAll(async () => {
    rig = await DmRig.start(2, {
      STREAM_KEEPALIVE_SECONDS: '1',
      DM_INBOX_LIMIT: '12',
      DM_INBOX_TTL_HOURS: '2',
    });
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    bot = await rig.bot();
  });

  test('a message comes with exactly the fields of the contract', async () => {
    const stream = await rig.api.open(bot.token);
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(stream.events).toEqual([]);
    const mentioning = `hello <@${bot.id}>`;
    const messageId = await rig.say(bot, mentioning);
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
      author_id: rig.ann.id,
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

  test('the sent_at of the stream is that of the event', async () => {
    const stream = await rig.api.open(bot.token);
    const { sentAt } = await rig.chat.post(bot.dm, { id: rig.ann.id, type: 'user' }, 'when?');
    await arrived(stream, 'when?');
    expect(stream.events[0]?.sent_at).toBe(sentAt);
  });

  test('a thread of a direct chat is streamed, with the context of a thread and no flat thread fields', async () => {
    const stream = await rig.api.open(bot.token);
    const root = await rig.say(bot, 'root');
    await arrived(stream, 'root');
    const answer = await rig.api.call(
      'POST',
      `/api/v1/client/conversations/${bot.dm}/messages`,
      rig.ann.token,
      { text: 'reply', parent_message_id: root },
    );
    expect(answer.status).toBe(200);
    await arrived(stream, 'reply');
    const event = stream.events[1] as Record<string, unknown>;
    const thread = event.conversation_id;
    expect(thread).not.toBe(bot.dm);
    expect(Object.keys(event)).toEqual(Object.keys(stream.events[0] as object));
    expect(event).toMatchObject({ author_id: rig.ann.id, msg_index: 1 });
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

  test('channels, edits, deletions and what the bot itself says are not streamed', async () => {
    const stream = await rig.api.open(bot.token);
    const [ann, itself] = [
      { id: rig.ann.id, type: 'user' as const },
      { id: bot.id, type: 'bot' as const },
    ];
    for (const scope of ['public', 'private'] as const) {
      const channel = await rig.chat.conversation({ scope, members: [ann, itself] });
      await rig.chat.post(channel, ann, `in a ${scope} channel for <@${bot.id}>`);
    }
    await rig.chat.post(bot.dm, itself, 'said by the bot');
    const message = await rig.say(bot, 'said by Ann');
    await arrived(stream, 'said by Ann');
    await rig.api.call('PATCH', `/api/v1/client/messages/${message}`, rig.ann.token, { text: 'edited' });
    await rig.api.call('DELETE', `/api/v1/client/messages/${message}`, rig.ann.token);
    await rig.say(bot, 'last');
    expect(await arrived(stream, 'last')).toEqual(['said by Ann', 'last']);
  });

  test.each(['none', 'poll', 'webhook'])('a bot in mode %s has its stream', async (mode) => {
    const settings = {
      event_delivery_mode: mode,
      event_types: [],
      channel_ids: [],
      webhook_url: 'https://receiver.example/hook',
    };
    expect(
      (await rig.api.call('PATCH', `/api/v1/admin/bots/${bot.id}`, rig.space.owner.token, settings)).status,
    ).toBe(200);
    const stream = await rig.api.open(bot.token);
    await rig.say(bot, 'hello');
    expect(await arrived(stream, 'hello')).toEqual(['hello']);
  });

  test('what came while the bot was away comes first, in order; nothing of it comes to the next stream', async () => {
    const sent = Array.from({ length: 12 }, (_, n) => `m${n}`);
    for (const text of sent) await rig.say(bot, text);
    await rig.planned();
    const first = await rig.api.open(bot.token);
    await rig.say(bot, 'live');
    expect(await arrived(first, 'live')).toEqual([...sent, 'live']);
    first.close();
    await rig.got(bot);
    const second = await rig.apis[1]!.open(bot.token);
    await rig.say(bot, 'later');
    expect(await arrived(second, 'later')).toEqual(['later']);
  });

  test('only the newest DM_INBOX_LIMIT wait', async () => {
    for (let n = 0; n < 17; n += 1) await rig.say(bot, `m${n}`);
    await rig.planned();
    const stream = await rig.api.open(bot.token);
    await rig.say(bot, 'live');
    expect(await arrived(stream, 'live')).toEqual([
      ...Array.from({ length: 12 }, (_, n) => `m${n + 5}`),
      'live',
    ]);
    stream.close();
  });

  test('the limit does not touch what a stream takes live', async () => {
    const stream = await rig.api.open(bot.token);
    await Promise.all(Array.from({ length: 60 }, (_, n) => rig.say(bot, `m${n}`)));
    await stream.until(({ events }) => events.length === 60);
    expect(stream.events.map(({ msg_index }) => msg_index)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
  });

  test('what waited longer than DM_INBOX_TTL_HOURS is left out, and does not hold up the rest', async () => {
    for (const text of ['old', 'young']) await rig.say(bot, text);
    await rig.planned();
    await rig.db.query(
      `UPDATE dm_inbox d SET created_at = now() - CASE m.text WHEN 'old' THEN interval '121 minutes' ELSE interval '119 minutes' END
         FROM messages m WHERE m.id = d.message_id AND d.bot_id = $1`,
      [bot.id],
    );
    const stream = await rig.api.open(bot.token);
    expect(await arrived(stream, 'young')).toEqual(['young']);
  });

  test('an offline message comes with its present text, a deleted one not at all', async () => {
    const [edited, deleted] = [await rig.say(bot, 'draft'), await rig.say(bot, 'oops')];
    await rig.say(bot, 'last');
    expect(
      (await rig.api.call('PATCH', `/api/v1/client/messages/${edited}`, rig.ann.token, { text: 'final' }))
        .status,
    ).toBe(200);
    expect((await rig.api.call('DELETE', `/api/v1/client/messages/${deleted}`, rig.ann.token)).status).toBe(
      200,
    );
    await rig.planned();
    const stream = await rig.api.open(bot.token);
    expect(await arrived(stream, 'last')).toEqual(['final', 'last']);
  });

  test('two streams of a bot, in two processes, both get what comes live', async () => {
    const streams = await Promise.all([
      rig.api.open(bot.token),
      rig.apis[1]!.open(bot.token),
      rig.apis[1]!.open(bot.token),
    ]);
    for (let n = 0; n < 20; n += 1) await rig.say(bot, `m${n}`);
    for (const stream of streams)
      expect(await arrived(stream, 'm19')).toEqual(Array.from({ length: 20 }, (_, n) => `m${n}`));
  });

  test('a bot gets nothing of another bot', async () => {
    const other = await rig.bot();
    const [stream, others] = [await rig.api.open(bot.token), await rig.api.open(other.token)];
    await rig.say(bot, 'for the first');
    await arrived(stream, 'for the first');
    await rig.say(other, 'for the other');
    expect(await arrived(others, 'for the other')).toEqual(['for the other']);
  });

  test('a :ping comes every STREAM_KEEPALIVE_SECONDS', async () => {
    const stream = await rig.api.open(bot.token);
    await stream.until(({ pings }) => pings.length === 3);
    expect((stream.pings[2] as number) - (stream.pings[0] as number)).toBeGreaterThan(1700);
    expect((stream.pings[2] as number) - (stream.pings[0] as number)).toBeLessThan(2500 + slackMs);
  });

  test("no token, a person's, an unknown one and other methods open nothing", async () => {
    const url = `${rig.api.url}/api/v1/bot/stream`;
    const before = rig.api.streams.count;
    const authorization = `Bearer ${bot.token}`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: 'Bearer tlb_unknown' } })).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: `Bearer ${rig.ann.token}` } })).status).toBe(401);
    expect((await fetch(url, { method: 'HEAD', headers: { authorization } })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', headers: { authorization } })).status).toBe(405);
    expect(rig.api.streams.count).toBe(before);
  });

  test.each([
    [
      'is disabled',
      (owner: string) => rig.api.call('PATCH', `/api/v1/admin/bots/${bot.id}`, owner, { is_active: false }),
    ],
    ['is deleted', (owner: string) => rig.api.call('DELETE', `/api/v1/admin/bots/${bot.id}`, owner)],
    [
      'gets a new token',
      (owner: string) => rig.api.call('POST', `/api/v1/admin/bots/${bot.id}/regenerate_token`, owner),
    ],
    [
      'is reset',
      (owner: string) =>
        rig.api.call('POST', `/api/v1/admin/bots/${bot.id}/regenerate_token`, owner, { reset: true }),
    ],
  ])('when the bot %s its streams end within a second, in every process', async (_, revoke) => {
    const streams = await Promise.all(rig.apis.map((api) => api.open(bot.token)));
    expect((await revoke(rig.space.owner.token)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.until(({ ended }) => ended, 1000)));
    expect((await rig.api.open(bot.token)).status).toBe(401);
  });

  test('when the space becomes inactive its streams end within a second, in every process', async () => {
    const streams = await Promise.all(rig.apis.map((api) => api.open(bot.token)));
    const space = `/api/v1/operator/spaces/${rig.space.spaceId}`;
    expect((await rig.api.call('PATCH', space, OPERATOR_TOKEN, { is_active: false })).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.until(({ ended }) => ended, 1000)));
    expect((await rig.api.open(bot.token)).status).toBe(401);
    expect((await rig.api.call('PATCH', space, OPERATOR_TOKEN, { is_active: true })).status).toBe(200);
  });

  test('a new token goes on where the old one was', async () => {
    const stream = await rig.api.open(bot.token);
    await rig.say(bot, 'got');
    await arrived(stream, 'got');
    const { body } = await rig.api.call(
      'POST',
      `/api/v1/admin/bots/${bot.id}/regenerate_token`,
      rig.space.owner.token,
    );
    await stream.until(({ ended }) => ended);
    await rig.got(bot);
    await rig.say(bot, 'waits');
    await rig.planned();
    expect(await arrived(await rig.apis[1]!.open(body.token), 'waits')).toEqual(['waits']);
  });
});
