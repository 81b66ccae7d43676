import type { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Statement } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { AnswerFaults, cutBus, EventStreamClient, eventually, HeldIntervals } from '@tieline/testing';
import { READ_DM_INBOXES, FIND_DM_POSITIONS, WRITE_DM_POSITIONS } from './dm-inbox.statements.js';
import { announceDmGap, announceDms, DM_CHANNEL } from './announce-dms.js';
import type { DmAnnouncement } from './announce-dms.js';
import { DmHarness } from '../testing/dm-harness.js';
import type { DmApi, DmBot } from '../testing/dm-harness.js';

const upTo = (count: number, from = 1): number[] =>
  Array.from({ length: count - from + 1 }, (_, n) => n + from);
const indexesOf = ({ events }: EventStreamClient): number[] =>
  events.map(({ msg_index }) => msg_index as number);

/** Returns the server's ends of connections that are opened from now on. */
function socketsOf({ app }: DmApi): Socket[] {
  const sockets: Socket[] = [];
  (app.getHttpServer() as Server).on('connection', (socket: Socket) => sockets.push(socket));
  return sockets;
}

interface DelayedQuery {
  held: Promise<void>;
  release: () => void;
  /** Resolves when the process has the response. */
  answered: Promise<void>;
}

/** Delays the next such statement on its way to the database, or its response on the way back. */
function delayNext({ app }: DmApi, { text }: { text: string }, part: 'statement' | 'answer'): DelayedQuery {
  const db = app.get(Db);
  const query = db.query.bind(db) as (
    sql: string | Statement,
    params?: readonly unknown[],
  ) => Promise<unknown[]>;
  const [isHeld, released, isAnswered] = [gate(), gate(), gate()];
  db.query = (async (sql: string | Statement, params?: readonly unknown[]) => {
    if ((typeof sql === 'string' ? sql : sql.text) !== text) return query(sql, params);
    const pass = async (): Promise<void> => {
      isHeld.open();
      await released.opened;
    };
    if (part === 'statement') await pass();
    const rows = await query(sql, params);
    if (part === 'answer' && rows.length > 0) await pass();
    isAnswered.open();
    return rows;
  }) as Db['query'];
  return { held: isHeld.opened, release: released.open, answered: isAnswered.opened };
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  return { opened: new Promise<void>((resolve) => (open = resolve)), open: () => open() };
}

/** How long a reader may take for one message, and the interval of pings. */
const PATIENCE_MS = 5000;
/** Streams are pinged in this many portions. */
const PING_SLOTS = 20;
/** A tenth of the inboxes is checked this often, in case an announcement was lost. */
const SWEEP_MS = 1000;

describe('DM streams under failures', () => {
  let intervals: HeldIntervals;
  let harness: DmHarness;
  let bot: DmBot;

  beforeEach(async () => {
    intervals = new HeldIntervals(SWEEP_MS, PATIENCE_MS / PING_SLOTS);
    harness = await DmHarness.start(2, {
      STREAM_KEEPALIVE_SECONDS: String(PATIENCE_MS / 1000),
      DM_INBOX_LIMIT: '10000',
    });
    bot = await harness.bot();
  });
  afterEach(async () => {
    await harness.close();
    intervals.release();
  });

  const say = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await harness.say(bot, `m${n}`);
  };

  test('streams opened during traffic have no gaps and no repeats', async () => {
    const streams = [await harness.api.open(bot.token)];
    const [first] = streams as [EventStreamClient];
    let isOpening = true;
    const writing = (async () => {
      let count = 0;
      while (isOpening) await harness.say(bot, `m${(count += 1)}`);
      return count;
    })();
    while (streams.length < 20) {
      const seen = indexesOf(first).length;
      streams.push(await (harness.apis[streams.length % 2] as DmApi).open(bot.token));
      await first.until(({ events }) => events.length > seen);
    }
    isOpening = false;
    const total = (await writing) + 1;
    await harness.say(bot, 'last');
    for (const stream of streams) {
      await stream.until(() => indexesOf(stream).at(-1) === total);
      expect(indexesOf(stream)).toEqual(upTo(total, indexesOf(stream)[0]));
    }
    expect(indexesOf(first)[0]).toBe(1);
  });

  test('a message committed after the headers reaches a stream although another stream is faster', async () => {
    const [, second] = await Promise.all(harness.apis.map((api) => api.open(bot.token)));
    const late = await Promise.all(
      upTo(10).map(async () => {
        const stream = await (harness.apis[1] as DmApi).open(bot.token);
        return { stream, message: await harness.say(bot, 'after the headers') };
      }),
    );
    for (const { stream, message } of late)
      await stream.until(({ events }) => events.some(({ message_id }) => message_id === message));
    // Streams are read independently: other streams may have the last message before this one.
    await second?.until((stream) => new Set(indexesOf(stream)).size === 10);
  });

  test('broken connections lose nothing and repeat nothing', async () => {
    const sockets = socketsOf(harness.api);
    const writing = say(300);
    const got: number[] = [];
    while (got.length < 300) {
      const stream = await harness.api.open(bot.token);
      await stream.until(({ events }) => events.length >= Math.min(15, 300 - got.length));
      for (const socket of sockets.splice(0)) socket.destroy();
      await stream.until(({ ended }) => ended);
      got.push(...indexesOf(stream));
    }
    await writing;
    expect(got).toEqual(upTo(300));
  });

  test('a client that reconnects while its position is written receives nothing twice', async () => {
    const first = await harness.api.open(bot.token);
    const writing = delayNext(harness.api, WRITE_DM_POSITIONS, 'statement');
    await harness.say(bot, 'one');
    await first.until(({ events }) => events.length === 1);
    await writing.held;
    const opening = delayNext(harness.api, FIND_DM_POSITIONS, 'answer');
    const back = harness.api.open(bot.token);
    await opening.held;
    writing.release();
    await writing.answered;
    opening.release();
    const second = await back;
    await harness.say(bot, 'two');
    await second.until(({ events }) => events.length > 0);
    expect(indexesOf(second)).toEqual([2]);
  });

  test('a stuck reader costs one message of memory, is disconnected, and receives the rest on the next stream', async () => {
    const sockets = socketsOf(harness.api);
    const stuck = await harness.api.open(bot.token);
    stuck.pause();
    // 16 MB, far more than the kernel buffers for a reader that does not read.
    const text = '\u{1F642}'.repeat(4000);
    const writing = Promise.all(
      upTo(10).map(async () => {
        for (let n = 0; n < 100; n += 1) await harness.say(bot, text);
      }),
    );
    let buffered = 0;
    while (harness.api.streams.count > 0) {
      buffered = Math.max(buffered, ...sockets.map(({ writableLength }) => writableLength));
      await sleep(5);
    }
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(32_768);
    await writing;
    await harness.planned();
    stuck.resume();
    await stuck.until(({ ended }) => ended);
    expect(stuck.events.length).toBeLessThan(1000);
    const next = await (harness.apis[1] as DmApi).open(bot.token);
    await next.until(({ events }) => events.length + stuck.events.length >= 1000, 60_000);
    expect([...indexesOf(stuck), ...indexesOf(next)]).toEqual(upTo(1000));
  });

  test('a slow reader that keeps reading stays connected and receives everything', async () => {
    const slow = await harness.api.open(bot.token);
    const text = '\u{1F642}'.repeat(4000);
    let reading = true;
    const dawdling = (async () => {
      while (reading) {
        slow.pause();
        await sleep(50);
        slow.resume();
        await sleep(5);
      }
    })();
    await Promise.all(
      upTo(10).map(async () => {
        for (let n = 0; n < 30; n += 1) await harness.say(bot, text);
      }),
    );
    await slow.until(({ events }) => events.length === 300, 60_000);
    reading = false;
    await dawdling;
    expect(slow.ended).toBe(false);
    expect(indexesOf(slow)).toEqual(upTo(300));
  });

  test('a missing announcement only delays messages', async () => {
    harness.announcing = false;
    const streams = await Promise.all(harness.apis.map((api) => api.open(bot.token)));
    await say(3);
    await harness.planned();
    await intervals.pass(10 * SWEEP_MS);
    for (const stream of streams) {
      await stream.until(({ events }) => events.length >= 3);
      expect(indexesOf(stream)).toEqual([1, 2, 3]);
    }
  });

  const openMany = async (): Promise<{ bot: DmBot; stream: EventStreamClient }[]> => {
    const bots = await Promise.all(upTo(10).map(() => harness.bot()));
    return Promise.all(
      bots.map(async (many, n) => ({
        bot: many,
        stream: await (harness.apis[n % 2] as DmApi).open(many.token),
      })),
    );
  };
  const allArrive = async (open: { stream: EventStreamClient }[]): Promise<void> => {
    await Promise.all(open.map(({ stream }) => stream.until(({ events }) => events.length > 0)));
    for (const { stream } of open) expect(indexesOf(stream)).toEqual([1]);
  };

  test('after the bus reconnects, every stream continues', async () => {
    const open = await openMany();
    harness.announcing = false;
    await Promise.all(open.map((each) => harness.say(each.bot, 'during the outage')));
    await harness.planned();
    await cutBus(harness.db, harness.redisUrl);
    await allArrive(open);
  });

  test('a planner that takes over wakes every stream', async () => {
    const open = await openMany();
    harness.announcing = false;
    await Promise.all(open.map((each) => harness.say(each.bot, 'planned by the one that died')));
    await harness.planned();
    announceDmGap(await harness.bus());
    await allArrive(open);
  });

  test('announcements for hundreds of bots name each of them once', async () => {
    const bus = await harness.bus();
    const named: string[] = [];
    bus.subscribe(DM_CHANNEL, (announcement) => named.push(...((announcement as DmAnnouncement).bots ?? [])));
    const bots = upTo(250).map((n) => `bot ${n}`);
    announceDms(
      bus,
      [...bots, ...bots].map((botId) => ({ botId })),
    );
    await eventually(() => named.length >= 250);
    expect(named).toEqual(bots);
  });

  test('a shutdown ends the streams; the next process resumes at their positions', async () => {
    const stream = await harness.api.open(bot.token);
    const writing = say(200);
    await stream.until(({ events }) => events.length > 50);
    const closing = harness.api.app.close();
    await stream.until(({ ended }) => ended);
    await closing;
    const next = await (harness.apis[1] as DmApi).open(bot.token);
    await writing;
    await next.until(() => indexesOf(next).at(-1) === 200);
    expect([...indexesOf(stream), ...indexesOf(next)]).toEqual(upTo(200));
    harness.apis.shift();
  });

  test('a message that arrives while the inbox is read does not wait for the periodic check', async () => {
    const [one] = (await openMany()) as [{ bot: DmBot; stream: EventStreamClient }];
    const network = delayNext(harness.api, READ_DM_INBOXES, 'answer');
    await harness.say(one.bot, 'first');
    await network.held;
    const bus = harness.api.app.get(Bus);
    // A busy machine may lose the session of the bus, and its hints. Then inboxes are read as well.
    const announced = new Promise<void>((resolve) => {
      bus.subscribe(DM_CHANNEL, () => resolve());
      bus.onReconnect(resolve);
    });
    await harness.say(one.bot, 'second');
    await announced;
    network.release();
    await one.stream.until(({ events }) => events.length === 2);
    expect(indexesOf(one.stream)).toEqual([1, 2]);
  });

  test('inboxes that cannot be read temporarily are retried soon', async () => {
    const open = await openMany();
    harness.announcing = false;
    await Promise.all(open.map((each) => harness.say(each.bot, 'hello')));
    await harness.planned();
    await harness.db.query('ALTER TABLE dm_inbox RENAME TO away');
    announceDmGap(await harness.bus());
    for (const { app } of harness.apis)
      await eventually(async () =>
        expect(await app.get(Metrics).text()).toMatch(/tieline_failures_total{part="dm_stream"} [1-9]/),
      );
    await harness.db.query('ALTER TABLE away RENAME TO dm_inbox');
    await allArrive(open);
  });

  test('messages arrive although positions cannot be written; the last position is written later', async () => {
    const stream = await harness.api.open(bot.token);
    await harness.db.query('ALTER TABLE dm_inbox_positions RENAME TO away');
    await say(5);
    await stream.until(({ events }) => events.length === 5);
    expect(indexesOf(stream)).toEqual(upTo(5));
    await harness.db.query('ALTER TABLE away RENAME TO dm_inbox_positions');
    await harness.got(bot);
  });

  test('a stream whose inbox cannot be read is not opened', async () => {
    await harness.db.query('ALTER TABLE dm_inbox_positions RENAME TO positions_away');
    const refused = await harness.api.open(bot.token);
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(harness.api.streams.count).toBe(0);
    // A 500 is not a documented response.
    expect(AnswerFaults.ofThisTest().take()).toEqual([expect.stringContaining('answered 500')]);
  });
});
