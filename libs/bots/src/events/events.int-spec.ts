import { runInWorkerTx } from '@tieline/platform/database';
import { TokenResolvers } from '@tieline/platform/http';
import type { Scope, TokenPrefix } from '@tieline/platform/http';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { eventually } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { EventsHarness } from '../testing/events-harness.js';
import { appendDirectEvent } from '../poll/direct-event.js';
import { idFloor } from '../poll/poll-ids.js';
import { rotatePollPartitions } from '../poll/poll-partitions.js';
import { PollWaiters } from '../poll/poll-waiters.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOUR_MS = 3_600_000;

let harness: EventsHarness;
beforeAll(async () => {
  harness = await EventsHarness.start({ RATE_POLL_PER_SECOND: '100000' });
});
afterAll(() => harness?.close());

/**
 * Time in milliseconds within which a wait of 25 seconds has ended early, on a busy machine too.
 */
const EARLY_MS = 12_000;

/** Resolves when this many long polls of a bot wait. */
const waitersOf = (botId: string, count: number): Promise<unknown> =>
  eventually(() => harness.api.app.get(PollWaiters).countOf(botId) === count);

describe('GET /bot/events', () => {
  test('a record has exactly the documented fields', async () => {
    const bot = await harness.bot();
    const channel = await harness.channel();
    const sent = await harness.post(channel, 'hello <@nobody>');
    const [record, ...others] = await harness.queue(bot);
    expect(others).toEqual([]);
    expect(record).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      event_id: sent.eventId,
      event_type: 'MESSAGE_CREATED',
      payload_json: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(record?.event_id).toMatch(UUID);
    expect(Math.abs(Date.now() - Date.parse(record?.created_at ?? ''))).toBeLessThan(60_000);
    const payload = JSON.parse(record?.payload_json ?? '') as object;
    expect(payload).toEqual({
      message_id: sent.messageId,
      conversation_id: channel,
      author_id: harness.owner.id,
      text: 'hello <@nobody>',
      msg_index: 1,
      sent_at: sent.sentAt,
      conversation_context: {
        conversation_id: channel,
        type: 'channel',
        scope: 'public',
        is_direct: false,
        is_public: true,
      },
    });
  });

  test('pages follow each other by the last id; the end is an empty page, and a cursor can be reused', async () => {
    const bot = await harness.bot();
    const channel = await harness.channel();
    for (const text of ['1', '2', '3', '4', '5']) await harness.post(channel, text);
    const all = await harness.queue(bot);
    expect(all.map(({ id }) => BigInt(id))).toEqual(
      [...all].map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1)),
    );
    const first = (await harness.poll(bot, '?limit=2')).body;
    expect(first).toEqual({ ok: true, events: all.slice(0, 2), next_cursor: all[1]?.id });
    for (let n = 0; n < 2; n++)
      expect((await harness.poll(bot, `?limit=2&cursor=${first.next_cursor}`)).body).toEqual({
        ok: true,
        events: all.slice(2, 4),
        next_cursor: all[3]?.id,
      });
    expect((await harness.poll(bot, `?cursor=${all[4]?.id}`)).body).toEqual({
      ok: true,
      events: [],
      next_cursor: '',
    });
    expect((await harness.poll(bot, '?cursor=')).body.events).toHaveLength(5);
    expect((await harness.poll(bot, '?cursor=1')).body.events).toHaveLength(5);
    expect((await harness.poll(bot, '?cursor=9999999999999999999')).body).toEqual({
      ok: true,
      events: [],
      next_cursor: '',
    });
  });

  test.each([
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'wait=-1',
    'wait=26',
    'wait=x',
    'cursor=x',
    'cursor=-1',
    'cursor=12345678901234567890',
    'cursor=1%20',
  ])('400 for %s', async (query) => {
    const { status, body } = await harness.poll(await harness.bot(), `?${query}`);
    const field = query.slice(0, query.indexOf('='));
    expect([status, body]).toEqual([
      400,
      { ok: false, error: expect.any(String), code: 'invalid_field', field },
    ]);
  });

  test('at the limits: 1 and 500', async () => {
    const bot = await harness.bot();
    for (const limit of [1, 500]) expect((await harness.poll(bot, `?limit=${limit}`)).status).toBe(200);
  });

  test.each(['none', 'webhook'])('400 in mode %s', async (mode) => {
    const bot = await harness.bot({ event_delivery_mode: mode, webhook_url: 'http://127.0.0.1:9/' });
    expect(await harness.poll(bot)).toMatchObject({
      status: 400,
      body: { ok: false, error: 'bot is not in poll mode' },
    });
    expect((await harness.poll(bot, '?wait=5')).status).toBe(400);
  });

  test('a bot reads only its own queue', async () => {
    const [a, b] = [await harness.bot(), await harness.bot({ event_types: [] })];
    await harness.post(await harness.channel(), 'x');
    expect(await harness.texts(a)).toEqual(['x']);
    expect(await harness.queue(b)).toEqual([]);
  });

  test('events in another mode are not queued; queued ones stay', async () => {
    const bot = await harness.bot();
    const channel = await harness.channel();
    await harness.post(channel, 'first');
    await harness.change(bot, { event_delivery_mode: 'none' });
    await harness.post(channel, 'missed');
    await harness.change(bot, { event_delivery_mode: 'poll' });
    await harness.post(channel, 'second');
    expect(await harness.texts(bot)).toEqual(['first', 'second']);
  });

  test('records out of retention are not returned, and whole days of them are dropped', async () => {
    const bot = await harness.bot();
    await harness.post(await harness.channel(), 'young');
    await harness.planned();
    const insert = (ageHours: number): Promise<unknown> =>
      harness.api.db.query(
        'INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload) VALUES ($1, $2, $3, $4, $5, $6)',
        [
          harness.space.spaceId,
          bot.id,
          idFloor(new Date(Date.now() - ageHours * HOUR_MS)),
          uuidv7(),
          'MESSAGE_CREATED',
          JSON.stringify({ text: `${ageHours} hours` }),
        ],
      );
    for (const age of [47, 49]) await insert(age);
    expect(await harness.texts(bot)).toEqual(['47 hours', 'young']);
    const stored = async (): Promise<number> =>
      (await harness.api.db.query('SELECT 1 FROM poll_records WHERE bot_id = $1', [bot.id])).length;
    expect(await stored()).toBe(3);
    await rotatePollPartitions(harness.api.db, 48, new Date(Date.now() + 4 * 24 * HOUR_MS));
    expect(await stored()).toBe(0);
    await rotatePollPartitions(harness.api.db, 48);
    await harness.post(await harness.channel(), 'younger');
    expect(await harness.texts(bot)).toEqual(['younger']);
    expect(await harness.api.db.query('SELECT 1 FROM poll_records_default')).toEqual([]);
  });
});

describe('direct events', () => {
  const direct = (botId: string, eventId = uuidv7()): Promise<void> =>
    runInWorkerTx(harness.api.db, (tx) =>
      appendDirectEvent(tx, {
        spaceId: harness.space.spaceId,
        botId,
        eventId,
        eventType: 'slash.command',
        payload: { b: 1, a: 'ä' },
      }),
    );

  test('arrive whatever the event_types and channel_ids', async () => {
    const bot = await harness.bot({ event_types: [], channel_ids: [await harness.channel()] });
    const eventId = uuidv7();
    await direct(bot.id, eventId);
    expect(await harness.queue(bot)).toEqual([
      {
        id: expect.any(String),
        event_id: eventId,
        event_type: 'slash.command',
        payload_json: '{"b":1,"a":"ä"}',
        created_at: expect.any(String),
      },
    ]);
  });

  test('only while the mode is poll as of their commit', async () => {
    const bot = await harness.bot({ event_delivery_mode: 'none' });
    await direct(bot.id);
    await harness.change(bot, { event_delivery_mode: 'poll' });
    expect(await harness.queue(bot)).toEqual([]);
    await direct(bot.id);
    expect(await harness.queue(bot)).toHaveLength(1);
  });
});

describe('wait', () => {
  test('the response arrives as soon as there is a record', async () => {
    const bot = await harness.bot();
    const channel = await harness.channel();
    const others = await harness.channel('private');
    const begun = performance.now();
    const waiting = harness.poll(bot, '?wait=25');
    await waitersOf(bot.id, 1);
    await harness.post(others, 'not for it');
    await harness.planned();
    await harness.post(channel, 'hello');
    const { body } = await waiting;
    expect(performance.now() - begun).toBeLessThan(EARLY_MS);
    expect(body.events).toHaveLength(1);
    expect(body.next_cursor).toBe(body.events[0].id);
  });

  test('existing records are returned immediately; after the time limit the page is empty', async () => {
    const bot = await harness.bot();
    const begun = performance.now();
    expect((await harness.poll(bot, '?wait=1')).body).toEqual({ ok: true, events: [], next_cursor: '' });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    await harness.post(await harness.channel(), 'x');
    await harness.planned();
    const again = performance.now();
    expect((await harness.poll(bot, '?wait=25')).body.events).toHaveLength(1);
    expect(performance.now() - again).toBeLessThan(EARLY_MS);
  });

  test('a token that loses its scope while the request waits gets 403', async () => {
    const bot = await harness.bot();
    let scopes: ReadonlySet<Scope> = new Set(['events']);
    const { spaceId } = harness.space;
    harness.api.app.get(TokenResolvers).register('tly_' as TokenPrefix, async () => ({
      kind: 'bot',
      botId: bot.id,
      spaceId,
      channelIds: [],
      scopes,
    }));
    const waiting = harness.poll({ ...bot, token: 'tly_x' }, '?wait=25');
    await waitersOf(bot.id, 1);
    scopes = new Set(['messages:read']);
    await harness.post(await harness.channel(), 'too late');
    expect(await waiting).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    // The request also checks its token for other reasons, perhaps before the event is planned.
    expect(await harness.queue(bot)).toHaveLength(1);
  });

  test('waiting requests hold no connection to the database', async () => {
    const bots = await Promise.all(
      Array.from({ length: 40 }, () => harness.bot({ event_types: ['REACTION_ADDED'] })),
    );
    const another = await harness.bot();
    const begun = performance.now();
    const waiting = bots.map((bot) => harness.poll(bot, '?wait=25'));
    for (const bot of bots) await waitersOf(bot.id, 1);
    expect((await harness.poll(another)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(EARLY_MS);
    for (const bot of bots) await harness.change(bot, { event_delivery_mode: 'none' });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(bots.map(() => 400));
  });

  test('a fifth wait of one bot ends the oldest', async () => {
    const bot = await harness.bot();
    const begun = performance.now();
    const oldest = harness.poll(bot, '?wait=25');
    await waitersOf(bot.id, 1);
    const others = Array.from({ length: 4 }, () => harness.poll(bot, '?wait=25'));
    expect((await oldest).body.events).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(EARLY_MS);
    await harness.post(await harness.channel(), 'now');
    expect((await Promise.all(others)).map(({ body }) => body.events.length)).toEqual([1, 1, 1, 1]);
  });

  test('a token regenerated in between reads nothing; leaving the mode ends the wait', async () => {
    const [a, b] = [await harness.bot(), await harness.bot()];
    const channel = await harness.channel();
    const waiting = [harness.poll(a, '?wait=25'), harness.poll(b, '?wait=25')];
    for (const bot of [a, b]) await waitersOf(bot.id, 1);
    await harness.admin('POST', `/bots/${a.id}/regenerate_token`);
    await harness.change(b, { event_delivery_mode: 'none' });
    await harness.post(channel, 'secret');
    const [first, second] = await Promise.all(waiting);
    expect(first).toMatchObject({ status: 401, body: { ok: false, error: 'invalid or revoked token' } });
    expect(second).toMatchObject({ status: 400, body: { ok: false, error: 'bot is not in poll mode' } });
  });

  test('waiting requests end immediately when their token is regenerated or their mode left', async () => {
    const [a, b] = [await harness.bot(), await harness.bot()];
    const begun = performance.now();
    const waiting = [harness.poll(a, '?wait=25'), harness.poll(b, '?wait=25')];
    for (const bot of [a, b]) await waitersOf(bot.id, 1);
    await harness.admin('POST', `/bots/${a.id}/regenerate_token`);
    await harness.change(b, { event_delivery_mode: 'none' });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 400]);
    expect(performance.now() - begun).toBeLessThan(EARLY_MS);
  });
});

describe('operator settings', () => {
  test('POLLING_ENABLED=false responds 503', async () => {
    const off = await EventsHarness.start({ POLLING_ENABLED: 'false' });
    try {
      expect(await off.poll(await off.bot())).toMatchObject({
        status: 503,
        body: { ok: false, error: 'polling is disabled' },
      });
    } finally {
      await off.close();
    }
  });

  test('RATE_POLL_PER_SECOND is per bot; beyond it 429 with Retry-After', async () => {
    const slow = await EventsHarness.start({ RATE_POLL_PER_SECOND: '2' });
    try {
      const responses = await withinOneWindow(slow.api, async () => {
        const [bot, other] = [await slow.bot(), await slow.bot()];
        const polls = await Promise.all(Array.from({ length: 9 }, () => slow.poll(bot)));
        return [...polls, await slow.poll(other)];
      });
      const limited = responses.filter(({ status }) => status === 429);
      // A window may end among them.
      expect(limited.length).toBeGreaterThanOrEqual(5);
      expect(limited[0]?.headers.get('retry-after')).toBe('1');
      expect(responses.at(-1)?.status).toBe(200);
    } finally {
      await slow.close();
    }
  });
});
