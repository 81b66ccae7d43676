import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, eventually, killRedisClients, testRedisUrl } from '@tieline/testing';
import type { Bus } from './bus.js';
import { LiveBus } from './live-bus.js';
import { PostgresTransport } from './postgres-transport.js';
import { RedisTransport } from './redis-transport.js';
import type { Transport } from './transport.js';

const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
const open: Bus[] = [];

interface Adapter {
  transport(name?: string): Transport;
  /** Cuts the connections of the transport with that name. `role` selects one of its two. */
  kill(name: string, role?: string): Promise<void>;
}

const onPostgres: Adapter = {
  transport: (name) => new PostgresTransport(database.url, name),
  kill: async (name, role = '') => {
    const admin = new pg.Client(database.url);
    await admin.connect();
    const { rowCount } = await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE $1 AND datname = current_database()',
      [`${name}-${role}%`],
    );
    await admin.end();
    expect(rowCount).toBeGreaterThan(0);
  },
};

const onRedis = (url: string): Adapter => ({
  transport: (name) => new RedisTransport(url, name),
  kill: async (name, role = '') => {
    expect(await killRedisClients(url, new RegExp(`^${name}-${role}`))).toBeGreaterThan(0);
  },
});

const adapters: [string, Adapter, string][] = [['Postgres', onPostgres, 'notify']];
if (redisUrl !== undefined) adapters.push(['Redis', onRedis(redisUrl), 'publish']);

afterAll(() => database.drop());

describe.each(adapters)('bus on %s', (_, adapter, sendingRole) => {
  const dropped: Record<string, number> = {};
  let here: Bus;
  let there: Bus;

  async function connect(name: string): Promise<Bus> {
    const bus = new LiveBus(adapter.transport(name), {
      dropped: (count, reason) => (dropped[reason] = (dropped[reason] ?? 0) + count),
    });
    open.push(bus);
    await bus.start();
    return bus;
  }

  function collect(bus: Bus, channel: string): unknown[] {
    const got: unknown[] = [];
    bus.subscribe(channel, (payload) => got.push(payload));
    return got;
  }

  /** Counts `onReconnect` calls. */
  function missedBy(bus: Bus): () => number {
    let count = 0;
    bus.onReconnect(() => (count += 1));
    return () => count;
  }

  beforeAll(async () => {
    here = await connect('here');
    there = await connect('there');
  });
  afterAll(() => Promise.all(open.splice(0).map((bus) => bus.close())));

  it('delivers a message to every subscribed process, including the publisher, and to no other channel', async () => {
    const [own, other, elsewhere] = [
      collect(here, 'news'),
      collect(there, 'news'),
      collect(there, 'weather'),
    ];
    here.publish('news', { n: 1, text: 'Grüße\n\t☎' });
    await eventually(() => own.length === 1 && other.length === 1);
    expect(other).toEqual([{ n: 1, text: 'Grüße\n\t☎' }]);
    expect(elsewhere).toEqual([]);
  });

  it('delivers messages of a key only to processes subscribed to it or to one that shares its topic', async () => {
    let frames = 0;
    const transport = adapter.transport('counting');
    const counting = new LiveBus({
      start: (events) =>
        transport.start({ ...events, received: (lines) => ((frames += 1), events.received(lines)) }),
      send: (lines) => transport.send(lines),
      listen: (topic) => transport.listen(topic),
      leave: (topic) => transport.leave(topic),
      close: () => transport.close(),
    });
    open.push(counting);
    await counting.start();
    const own = collect(counting, 'live@a');
    const others = collect(there, 'live@b');
    const everybody = collect(counting, 'mark');
    await Promise.all([counting.ready('live@a'), there.ready('live@b')]);
    for (let n = 0; n < 5; n += 1) {
      here.publish('live@b', n);
      await eventually(() => others.length === n + 1);
    }
    expect(frames).toBe(0);
    here.publish('live@a', 'own');
    here.publish('mark', 1);
    await eventually(() => everybody.length === 1);
    expect(own).toEqual(['own']);
  });

  it('delivers everything published after a key is ready, however often subscribers come and go', async () => {
    for (let n = 0; n < 20; n += 1) {
      const got: unknown[] = [];
      const end = there.subscribe(`live@come-${n}`, (payload) => got.push(payload));
      await there.ready(`live@come-${n}`);
      here.publish(`live@come-${n}`, n);
      await eventually(() => got.length === 1);
      end();
    }
  });

  it('listens to its keys again after a lost connection', async () => {
    const got = collect(there, 'live@cut');
    await there.ready('live@cut');
    const missed = missedBy(there);
    await adapter.kill('there');
    await eventually(() => missed() > 0 && there.connected);
    const late = collect(there, 'live@late');
    await Promise.all([there.ready('live@late'), there.ready('live@cut')]);
    here.publish('live@cut', 'after');
    here.publish('live@late', 'after');
    await eventually(() => got.length === 1 && late.length === 1);
  });

  it('keeps the order between channels with and without a key', async () => {
    const got: unknown[] = [];
    for (const channel of ['live@x', 'live@y', 'all'])
      there.subscribe(channel, (payload) => got.push(payload));
    await Promise.all([there.ready('live@x'), there.ready('live@y')]);
    const sent = Array.from({ length: 300 }, (__, n) => n);
    for (const n of sent) here.publish(n % 3 === 0 ? 'all' : 'live@x', n);
    await eventually(() => got.length === sent.length);
    expect(got).toEqual(sent);
  });

  it('ends a subscription', async () => {
    const gone: unknown[] = [];
    const end = there.subscribe('ending', (payload) => gone.push(payload));
    const kept = collect(there, 'ending');
    end();
    here.publish('ending', 1);
    await eventually(() => kept.length === 1);
    expect(gone).toEqual([]);
  });

  it('keeps number and order of a burst, including equal payloads', async () => {
    const got = collect(there, 'burst');
    const sent = Array.from({ length: 5_000 }, (__, n) => Math.floor(n / 3));
    for (const n of sent) here.publish('burst', n);
    await eventually(() => got.length >= sent.length);
    expect(got).toEqual(sent);
  });

  it('carries messages of every size in order, including equal ones', async () => {
    const got = collect(there, 'large');
    const aroundTheLimit = Array.from({ length: 30 }, (__, n) => 'x'.repeat(7_600 + 20 * n));
    const equal = Array.from({ length: 5 }, () => 'e'.repeat(7_000));
    const sent = [
      'a',
      ...aroundTheLimit,
      'ü'.repeat(3_995),
      'z'.repeat(20_000),
      'b',
      '☎'.repeat(200_000),
      'c',
      ...equal,
      'd',
    ];
    for (const text of sent) here.publish('large', { text });
    await eventually(() => got.length >= sent.length);
    expect(got).toEqual(sent.map((text) => ({ text })));
  });

  it('never throws, and counts messages that cannot be sent', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const before = dropped.unserialisable ?? 0;
    here.publish('c', circle);
    here.publish('a\tb', 1);
    expect(dropped.unserialisable).toBe(before + 2);
  });

  it('a handler that throws does not affect others', async () => {
    there.subscribe('throwing', () => {
      throw new Error('handler');
    });
    const got = collect(there, 'throwing');
    here.publish('throwing', 1);
    here.publish('throwing', 2);
    await eventually(() => got.length === 2);
    expect(dropped.handler).toBe(2);
  });

  it('reconnects by itself and notifies subscribers', async () => {
    const missed = missedBy(there);
    const got = collect(there, 'cut');
    await adapter.kill('there');
    await eventually(() => missed() > 0);
    await eventually(() => there.connected);
    here.publish('cut', 'after');
    await eventually(() => got.length === 1);
  });

  it('when only the sender was disconnected, receivers learn that messages were dropped', async () => {
    const missed = missedBy(there);
    const lost = collect(there, 'lost');
    const transport = adapter.transport('sender');
    let drops = 0;
    const watched: Transport = {
      // Publishes exactly when the connection closes. It reconnects within milliseconds.
      start: (events) =>
        transport.start({
          ...events,
          sendable: (up) => (events.sendable(up), up || sender.publish('lost', 1)),
        }),
      send: (lines) => transport.send(lines),
      listen: (topic) => transport.listen(topic),
      leave: (topic) => transport.leave(topic),
      close: () => transport.close(),
    };
    const sender = new LiveBus(watched, { dropped: (count) => (drops += count) });
    open.push(sender);
    await sender.start();
    await adapter.kill('sender', sendingRole);
    await eventually(() => missed() > 0);
    expect(drops).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  });

  it('sends a message without waiting for a timer', async () => {
    const got = collect(there, 'idle');
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
      ],
    });
    try {
      here.publish('idle', 1);
      for (let turns = 0; got.length === 0; turns += 1) {
        await sleep(1);
        expect(turns).toBeLessThan(60_000);
      }
    } finally {
      jest.useRealTimers();
    }
    expect(got).toEqual([1]);
  });

  it('delivers messages published just before close', async () => {
    const got = collect(there, 'last');
    const leaving = await connect('leaving');
    leaving.publish('last', 'word');
    await leaving.close();
    leaving.publish('last', 'ghost');
    await eventually(() => got.length === 1);
    expect(got).toEqual(['word']);
  });
});
