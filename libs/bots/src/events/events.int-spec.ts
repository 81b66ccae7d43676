import { runInWorkerTx } from '@tieline/platform/database';
import { eventually } from '@tieline/testing';
import { v7 as uuidv7 } from 'uuid';
import { EventsRig } from '../testing/events-rig.js';
import { appendDirectEvent } from '../poll/direct-event.js';
import { idFloor } from '../poll/poll-ids.js';
import { rotatePollPartitions } from '../poll/poll-partitions.js';
import { PollWaiters } from '../poll/poll-waiters.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOUR_MS = 3_600_000;

let rig: EventsRig;
beforeAll(async () => {
  rig = await EventsRig.start({ RATE_POLL_PER_SECOND: '100000' });
});
afterAll(() => rig?.close());

/** Resolves once so many long polls of a bot wait. */
const waitersOf = (botId: string, count: number): Promise<unknown> =>
  eventually(() => rig.api.app.get(PollWaiters).countOf(botId) === count);

describe('GET /bot/events', () => {
  test('a record is exactly what the contract says', async () => {
    const bot = await rig.bot();
    const channel = await rig.channel();
    const sent = await rig.post(channel, 'hello <@nobody>');
    const [record, ...others] = await rig.queue(bot);
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
      author_id: rig.owner.id,
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

  test('pages follow each other by the last id; the end is an empty page, and a cursor may be used again', async () => {
    const bot = await rig.bot();
    const channel = await rig.channel();
    for (const text of ['1', '2', '3', '4', '5']) await rig.post(channel, text);
    const all = await rig.queue(bot);
    expect(all.map(({ id }) => BigInt(id))).toEqual(
      [...all].map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1)),
    );
    const first = (await rig.poll(bot, '?limit=2')).body;
    expect(first).toEqual({ ok: true, events: all.slice(0, 2), next_cursor: all[1]?.id });
    for (let n = 0; n < 2; n++)
      expect((await rig.poll(bot, `?limit=2&cursor=${first.next_cursor}`)).body).toEqual({
        ok: true,
        events: all.slice(2, 4),
        next_cursor: all[3]?.id,
      });
    expect((await rig.poll(bot, `?cursor=${all[4]?.id}`)).body).toEqual({
      ok: true,
      events: [],
      next_cursor: '',
    });
    expect((await rig.poll(bot, '?cursor=')).body.events).toHaveLength(5);
    expect((await rig.poll(bot, '?cursor=1')).body.events).toHaveLength(5);
    expect((await rig.poll(bot, '?cursor=9999999999999999999')).body).toEqual({
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
    const { status, body } = await rig.poll(await rig.bot(), `?${query}`);
    const field = query.slice(0, query.indexOf('='));
    expect([status, body]).toEqual([
      400,
      { ok: false, error: expect.any(String), code: 'invalid_field', field },
    ]);
  });

  test('at the limits: 1 and 500', async () => {
    const bot = await rig.bot();
    for (const limit of [1, 500]) expect((await rig.poll(bot, `?limit=${limit}`)).status).toBe(200);
  });

  test.each(['none', 'webhook'])('400 in mode %s', async (mode) => {
    const bot = await rig.bot({ event_delivery_mode: mode, webhook_url: 'http://127.0.0.1:9/' });
    expect(await rig.poll(bot)).toMatchObject({
      status: 400,
      body: { ok: false, error: 'bot is not in poll mode' },
    });
    expect((await rig.poll(bot, '?wait=5')).status).toBe(400);
  });

  test('a bot reads its own queue only', async () => {
    const [a, b] = [await rig.bot(), await rig.bot({ event_types: [] })];
    await rig.post(await rig.channel(), 'x');
    expect(await rig.texts(a)).toEqual(['x']);
    expect(await rig.queue(b)).toEqual([]);
  });

  test('what happens in another mode is not queued; what was queued stays', async () => {
    const bot = await rig.bot();
    const channel = await rig.channel();
    await rig.post(channel, 'first');
    await rig.change(bot, { event_delivery_mode: 'none' });
    await rig.post(channel, 'missed');
    await rig.change(bot, { event_delivery_mode: 'poll' });
    await rig.post(channel, 'second');
    expect(await rig.texts(bot)).toEqual(['first', 'second']);
  });

  test('records out of retention are not read, whole days of them are dropped', async () => {
    const bot = await rig.bot();
    await rig.post(await rig.channel(), 'young');
    await rig.planned();
    const insert = (ageHours: number): Promise<unknown> =>
      rig.api.db.query(
        'INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload) VALUES ($1, $2, $3, $4, $5, $6)',
        [
          rig.space.spaceId,
          bot.id,
          idFloor(new Date(Date.now() - ageHours * HOUR_MS)),
          uuidv7(),
          'MESSAGE_CREATED',
          JSON.stringify({ text: `${ageHours} hours` }),
        ],
      );
    for (const age of [47, 49]) await insert(age);
    expect(await rig.texts(bot)).toEqual(['47 hours', 'young']);
    const stored = async (): Promise<number> =>
      (await rig.api.db.query('SELECT 1 FROM poll_records WHERE bot_id = $1', [bot.id])).length;
    expect(await stored()).toBe(3);
    await rotatePollPartitions(rig.api.db, 48, new Date(Date.now() + 4 * 24 * HOUR_MS));
    expect(await stored()).toBe(0);
    await rotatePollPartitions(rig.api.db, 48);
    await rig.post(await rig.channel(), 'younger');
    expect(await rig.texts(bot)).toEqual(['younger']);
    expect(await rig.api.db.query('SELECT 1 FROM poll_records_default')).toEqual([]);
  });
});

describe('direct events', () => {
  const direct = (botId: string, eventId = uuidv7()): Promise<void> =>
    runInWorkerTx(rig.api.db, (tx) =>
      appendDirectEvent(tx, {
        spaceId: rig.space.spaceId,
        botId,
        eventId,
        eventType: 'slash.command',
        payload: { b: 1, a: 'ä' },
      }),
    );

  test('come whatever the event_types and channel_ids', async () => {
    const bot = await rig.bot({ event_types: [], channel_ids: [await rig.channel()] });
    const eventId = uuidv7();
    await direct(bot.id, eventId);
    expect(await rig.queue(bot)).toEqual([
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
    const bot = await rig.bot({ event_delivery_mode: 'none' });
    await direct(bot.id);
    await rig.change(bot, { event_delivery_mode: 'poll' });
    expect(await rig.queue(bot)).toEqual([]);
    await direct(bot.id);
    expect(await rig.queue(bot)).toHaveLength(1);
  });
});

describe('wait', () => {
  test('the answer comes as soon as there is a record', async () => {
    const bot = await rig.bot();
    const channel = await rig.channel();
    const waiting = rig.poll(bot, '?wait=20');
    await rig.post(await rig.channel('private'), 'not for it');
    await rig.planned();
    const posted = performance.now();
    await rig.post(channel, 'hello');
    const { body } = await waiting;
    expect(performance.now() - posted).toBeLessThan(500);
    expect(body.events).toHaveLength(1);
    expect(body.next_cursor).toBe(body.events[0].id);
  });

  test('what is there already is answered at once; nothing within the time is an empty page', async () => {
    const bot = await rig.bot();
    const begun = performance.now();
    expect((await rig.poll(bot, '?wait=1')).body).toEqual({ ok: true, events: [], next_cursor: '' });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    await rig.post(await rig.channel(), 'x');
    await rig.planned();
    const again = performance.now();
    expect((await rig.poll(bot, '?wait=20')).body.events).toHaveLength(1);
    expect(performance.now() - again).toBeLessThan(500);
  });

  test('many that wait hold no connection to the database', async () => {
    const bots = await Promise.all(
      Array.from({ length: 40 }, () => rig.bot({ event_types: ['REACTION_ADDED'] })),
    );
    const waiting = bots.map((bot) => rig.poll(bot, '?wait=2'));
    for (const bot of bots) await waitersOf(bot.id, 1);
    const begun = performance.now();
    expect((await rig.poll(await rig.bot())).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1500);
    expect((await Promise.all(waiting)).map(({ body }) => body.events)).toEqual(bots.map(() => []));
  });

  test('one more than four of one bot ends the oldest', async () => {
    const bot = await rig.bot();
    const begun = performance.now();
    const oldest = rig.poll(bot, '?wait=20');
    await waitersOf(bot.id, 1);
    const others = Array.from({ length: 4 }, () => rig.poll(bot, '?wait=20'));
    expect((await oldest).body.events).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(5000);
    await rig.post(await rig.channel(), 'now');
    expect((await Promise.all(others)).map(({ body }) => body.events.length)).toEqual([1, 1, 1, 1]);
  });

  test('a token that was regenerated meanwhile reads nothing; a mode that was left ends it', async () => {
    const [a, b] = [await rig.bot(), await rig.bot()];
    const channel = await rig.channel();
    const waiting = [rig.poll(a, '?wait=20'), rig.poll(b, '?wait=20')];
    for (const bot of [a, b]) await waitersOf(bot.id, 1);
    await rig.admin('POST', `/bots/${a.id}/regenerate_token`);
    await rig.change(b, { event_delivery_mode: 'none' });
    await rig.post(channel, 'secret');
    const [first, second] = await Promise.all(waiting);
    expect(first).toMatchObject({ status: 401, body: { ok: false, error: 'invalid or revoked token' } });
    expect(second).toMatchObject({ status: 400, body: { ok: false, error: 'bot is not in poll mode' } });
  });

  test('those who wait learn at once that their token was regenerated or their mode left', async () => {
    const [a, b] = [await rig.bot(), await rig.bot()];
    const waiting = [rig.poll(a, '?wait=20'), rig.poll(b, '?wait=20')];
    for (const bot of [a, b]) await waitersOf(bot.id, 1);
    const begun = performance.now();
    await rig.admin('POST', `/bots/${a.id}/regenerate_token`);
    await rig.change(b, { event_delivery_mode: 'none' });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 400]);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

describe('settings of the operator', () => {
  test('POLLING_ENABLED=false is 503', async () => {
    const off = await EventsRig.start({ POLLING_ENABLED: 'false' });
    try {
      expect(await off.poll(await off.bot())).toMatchObject({
        status: 503,
        body: { ok: false, error: 'polling is disabled' },
      });
    } finally {
      await off.close();
    }
  });

  test('RATE_POLL_PER_SECOND is per bot; over it 429 with Retry-After', async () => {
    const slow = await EventsRig.start({ RATE_POLL_PER_SECOND: '2' });
    try {
      const [bot, other] = [await slow.bot(), await slow.bot()];
      const statuses = await Promise.all(Array.from({ length: 9 }, () => slow.poll(bot)));
      const limited = statuses.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThanOrEqual(5);
      expect(limited[0]?.headers.get('retry-after')).toBe('1');
      expect((await slow.poll(other)).status).toBe(200);
    } finally {
      await slow.close();
    }
  });
});
