import type { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Db } from '@tieline/platform/database';
import type { Statement } from '@tieline/platform/database';
import { AnswerFaults, cutBus, EventStreamClient, eventually } from '@tieline/testing';
import { DM_INBOX_NEXT, DM_INBOX_START, WRITE_DM_POSITIONS } from './dm-inbox.statements.js';
import { announceDmGap, announceDms, DM_CHANNEL } from './announce-dms.js';
import type { DmAnnouncement } from './announce-dms.js';
import { DmRig } from '../testing/dm-rig.js';
import type { DmApi, DmBot } from '../testing/dm-rig.js';

const upTo = (count: number, from = 1): number[] =>
  Array.from({ length: count - from + 1 }, (_, n) => n + from);
const indexesOf = ({ events }: EventStreamClient): number[] =>
  events.map(({ msg_index }) => msg_index as number);

/** The server's ends of the connections that are made from now on. */
function socketsOf({ app }: DmApi): Socket[] {
  const sockets: Socket[] = [];
  (app.getHttpServer() as Server).on('connection', (socket: Socket) => sockets.push(socket));
  return sockets;
}

interface Held {
  held: Promise<void>;
  release: () => void;
  /** Once the process has its answer. */
  answered: Promise<void>;
}

/**
 * Holds the next such statement on its way from the process to the database, or its answer on the
 * way back.
 */
function hold({ app }: DmApi, { text }: { text: string }, part: 'statement' | 'answer'): Held {
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

describe('DM streams under trouble', () => {
  let rig: DmRig;
  let bot: DmBot;

  beforeEach(async () => {
    rig = await DmRig.start(2, { STREAM_KEEPALIVE_SECONDS: '1', DM_INBOX_LIMIT: '10000' });
    bot = await rig.bot();
  });
  afterEach(() => rig.close());

  const say = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await rig.say(bot, `m${n}`);
  };

  test('streams that open in the middle of a flow have neither gap nor repetition', async () => {
    const first = await rig.api.open(bot.token);
    const writing = say(300);
    const streams: EventStreamClient[] = [first];
    while (indexesOf(first).length < 250 && streams.length < 40) {
      const seen = indexesOf(first).length;
      streams.push(await (rig.apis[streams.length % 2] as DmApi).open(bot.token));
      await first.until(({ events }) => events.length > seen);
    }
    await writing;
    for (const stream of streams) {
      await stream.until(() => indexesOf(stream).at(-1) === 300);
      expect(indexesOf(stream)).toEqual(upTo(300, indexesOf(stream)[0]));
    }
    expect(indexesOf(first)[0]).toBe(1);
    expect(streams.length).toBeGreaterThan(10);
  });

  test('what was committed after the headers came reaches a stream although another one is quicker', async () => {
    const [, second] = await Promise.all(rig.apis.map((api) => api.open(bot.token)));
    const late = await Promise.all(
      upTo(10).map(async () => {
        const stream = await (rig.apis[1] as DmApi).open(bot.token);
        return { stream, message: await rig.say(bot, 'after the headers') };
      }),
    );
    for (const { stream, message } of late)
      await stream.until(({ events }) => events.some(({ message_id }) => message_id === message));
    // Streams are read each for itself: that all others have the last message does not mean that
    // this one has.
    await second?.until((stream) => new Set(indexesOf(stream)).size === 10);
  });

  test('connections that die lose nothing and repeat nothing', async () => {
    const sockets = socketsOf(rig.api);
    const writing = say(300);
    const got: number[] = [];
    while (got.length < 300) {
      const stream = await rig.api.open(bot.token);
      await stream.until(({ events }) => events.length >= Math.min(15, 300 - got.length));
      for (const socket of sockets.splice(0)) socket.destroy();
      await stream.until(({ ended }) => ended);
      got.push(...indexesOf(stream));
    }
    await writing;
    expect(got).toEqual(upTo(300));
  });

  test('who comes back just when its position is written gets nothing twice', async () => {
    const first = await rig.api.open(bot.token);
    const writing = hold(rig.api, WRITE_DM_POSITIONS, 'statement');
    await rig.say(bot, 'one');
    await first.until(({ events }) => events.length === 1);
    await writing.held;
    const opening = hold(rig.api, DM_INBOX_START, 'answer');
    const back = rig.api.open(bot.token);
    await opening.held;
    writing.release();
    await writing.answered;
    opening.release();
    const second = await back;
    await rig.say(bot, 'two');
    await second.until(({ events }) => events.length > 0);
    expect(indexesOf(second)).toEqual([2]);
  });

  test('a stuck reader costs one message of memory, is disconnected, and gets the rest at the next stream', async () => {
    const sockets = socketsOf(rig.api);
    const stuck = await rig.api.open(bot.token);
    stuck.pause();
    // 16 MB, well above what the kernel takes for a reader that does not read.
    const text = '\u{1F642}'.repeat(4000);
    const writing = Promise.all(
      upTo(10).map(async () => {
        for (let n = 0; n < 100; n += 1) await rig.say(bot, text);
      }),
    );
    let buffered = 0;
    let stuckSince = Infinity;
    while (rig.api.streams.count > 0) {
      buffered = Math.max(buffered, ...sockets.map(({ writableLength }) => writableLength));
      if (buffered > 0) stuckSince = Math.min(stuckSince, performance.now());
      await sleep(5);
    }
    // Sooner than three pings would find out.
    expect(performance.now() - stuckSince).toBeLessThan(1900);
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(32_768);
    await writing;
    await rig.planned();
    stuck.resume();
    await stuck.until(({ ended }) => ended);
    expect(stuck.events.length).toBeLessThan(1000);
    const next = await (rig.apis[1] as DmApi).open(bot.token);
    await next.until(({ events }) => events.length + stuck.events.length >= 1000, 20_000);
    expect([...indexesOf(stuck), ...indexesOf(next)]).toEqual(upTo(1000));
  });

  test('a reader that is slow but reads stays and gets everything', async () => {
    const slow = await rig.api.open(bot.token);
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
        for (let n = 0; n < 30; n += 1) await rig.say(bot, text);
      }),
    );
    await slow.until(({ events }) => events.length === 300, 20_000);
    reading = false;
    await dawdling;
    expect(slow.ended).toBe(false);
    expect(indexesOf(slow)).toEqual(upTo(300));
  });

  test('an announcement that nobody made is made up for', async () => {
    rig.announcing = false;
    const streams = await Promise.all(rig.apis.map((api) => api.open(bot.token)));
    await say(3);
    for (const stream of streams) {
      await stream.until(({ events }) => events.length >= 3, 12_000);
      expect(indexesOf(stream)).toEqual([1, 2, 3]);
    }
  });

  // So many that the second looks alone would take ten seconds.
  const openMany = async (): Promise<{ bot: DmBot; stream: EventStreamClient }[]> => {
    const bots = await Promise.all(upTo(60).map(() => rig.bot()));
    return Promise.all(
      bots.map(async (many, n) => ({ bot: many, stream: await (rig.apis[n % 2] as DmApi).open(many.token) })),
    );
  };
  const allArrive = async (open: { stream: EventStreamClient }[]): Promise<void> => {
    await Promise.all(open.map(({ stream }) => stream.until(({ events }) => events.length > 0, 4000)));
    for (const { stream } of open) expect(indexesOf(stream)).toEqual([1]);
  };

  test('when the bus comes back every stream reads on', async () => {
    const open = await openMany();
    rig.announcing = false;
    await Promise.all(open.map((each) => rig.say(each.bot, 'during the outage')));
    await rig.planned();
    await cutBus(rig.db, rig.redisUrl);
    await allArrive(open);
  });

  test('a planner that took over wakes every stream', async () => {
    const open = await openMany();
    rig.announcing = false;
    await Promise.all(open.map((each) => rig.say(each.bot, 'planned by the one that died')));
    await rig.planned();
    announceDmGap(await rig.bus());
    await allArrive(open);
  });

  test('announcements of hundreds of bots name each of them once', async () => {
    const bus = await rig.bus();
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

  test('a shutdown ends the streams at once; the next process goes on where they were', async () => {
    const stream = await rig.api.open(bot.token);
    const writing = say(200);
    await stream.until(({ events }) => events.length > 50);
    const begun = performance.now();
    const closing = rig.api.app.close();
    await stream.until(({ ended }) => ended, 2000);
    expect(performance.now() - begun).toBeLessThan(2000);
    await closing;
    const next = await (rig.apis[1] as DmApi).open(bot.token);
    await writing;
    await next.until(() => indexesOf(next).at(-1) === 200);
    expect([...indexesOf(stream), ...indexesOf(next)]).toEqual(upTo(200));
    rig.apis.shift();
  });

  test('a message that comes while the inbox is being read does not wait for the second look', async () => {
    const [one] = (await openMany()) as [{ bot: DmBot; stream: EventStreamClient }];
    const network = hold(rig.api, DM_INBOX_NEXT, 'answer');
    await rig.say(one.bot, 'first');
    await network.held;
    await rig.say(one.bot, 'second');
    await rig.planned();
    // The announcement of the second one has come long since.
    await sleep(200);
    network.release();
    await one.stream.until(({ events }) => events.length === 2, 4000);
    expect(indexesOf(one.stream)).toEqual([1, 2]);
  });

  test('inboxes that cannot be read for a while are tried again soon', async () => {
    const open = await openMany();
    rig.announcing = false;
    await Promise.all(open.map((each) => rig.say(each.bot, 'hello')));
    await rig.planned();
    await rig.db.query('ALTER TABLE dm_inbox RENAME TO away');
    announceDmGap(await rig.bus());
    await sleep(300);
    await rig.db.query('ALTER TABLE away RENAME TO dm_inbox');
    await allArrive(open);
  });

  test('while positions cannot be written messages come all the same; the last one is written in the end', async () => {
    const stream = await rig.api.open(bot.token);
    await rig.db.query('ALTER TABLE dm_inbox_positions RENAME TO away');
    await say(5);
    await stream.until(({ events }) => events.length === 5);
    expect(indexesOf(stream)).toEqual(upTo(5));
    await rig.db.query('ALTER TABLE away RENAME TO dm_inbox_positions');
    await rig.got(bot);
  });

  test('a stream whose inbox cannot be read is not opened', async () => {
    await rig.db.query('ALTER TABLE dm_inbox_positions RENAME TO positions_away');
    const refused = await rig.api.open(bot.token);
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(rig.api.streams.count).toBe(0);
    // A fault of ours is in no document.
    expect(AnswerFaults.ofThisTest().take()).toEqual([expect.stringContaining('answered 500')]);
  });
});
