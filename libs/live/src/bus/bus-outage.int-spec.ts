import pg from 'pg';
import {
  createTestDatabase,
  eventually,
  freePort,
  RedisCluster,
  RedisServer,
  testRedisUrl,
} from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { LiveBus } from './live-bus.js';
import { PostgresTransport } from './postgres-transport.js';
import { RedisTransport } from './redis-transport.js';

const HEARTBEAT_MS = 100;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('bus on Postgres', () => {
  it('notifies subscribers when a large message can no longer be read', async () => {
    const bus = new LiveBus(new PostgresTransport(database.url));
    await bus.start();
    const got: unknown[] = [];
    let missed = 0;
    bus.subscribe('large', (payload) => got.push(payload));
    bus.onReconnect(() => (missed += 1));
    const admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(
      'CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    );
    await admin.query(
      'CREATE TRIGGER forget BEFORE INSERT ON bus_messages FOR EACH ROW EXECUTE FUNCTION forget()',
    );
    bus.publish('large', 'x'.repeat(9_000));
    bus.publish('large', 'small');
    await eventually(() => got.length === 1);
    expect([got, missed]).toEqual([['small'], 1]);
    await admin.end();
    await bus.close();
  });

  it('drops messages and keeps working without a server', async () => {
    let dropped = 0;
    const failures: Error[] = [];
    const bus = new LiveBus(new PostgresTransport(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`), {
      dropped: (count) => (dropped += count),
      failed: (error) => failures.push(error),
    });
    const started = bus.start();
    for (let n = 0; n < 1_000; n += 1) bus.publish('c', n);
    await eventually(() => failures.length >= 4);
    expect([bus.connected, dropped]).toEqual([false, 1_000]);
    await bus.close();
    await started;
  });
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('bus on Redis', () => {
  it('survives a stopped Redis: drops messages, reconnects by itself, notifies subscribers', async () => {
    const server = await RedisServer.start();
    let dropped = 0;
    const events = { dropped: (count: number): void => void (dropped += count) };
    const [here, there] = [
      new LiveBus(new RedisTransport(server.url), events),
      new LiveBus(new RedisTransport(server.url)),
    ];
    await Promise.all([here.start(), there.start()]);
    const got: unknown[] = [];
    let missed = 0;
    there.subscribe('c', (payload) => got.push(payload));
    there.onReconnect(() => (missed += 1));
    await server.stop();
    await eventually(() => !here.connected && !there.connected);
    for (let n = 0; n < 20_000; n += 1) here.publish('c', n);
    // The publishing connection may break a moment after the listening one. Waiting messages are
    // dropped then.
    await eventually(() => dropped === 20_000);
    await server.resume();
    await eventually(() => here.connected && there.connected && missed > 0);
    here.publish('c', 'after');
    await eventually(() => got.length === 1);
    expect(got).toEqual(['after']);
    await Promise.all([here.close(), there.close()]);
    await server.stop();
  });

  it('starts without Redis and connects when it is available', async () => {
    const server = await RedisServer.start();
    await server.stop();
    const bus = new LiveBus(new RedisTransport(server.url));
    const started = bus.start();
    expect(bus.connected).toBe(false);
    await server.resume();
    await started;
    expect(bus.connected).toBe(true);
    await bus.close();
    await server.stop();
  });

  it('in a Redis cluster a heartbeat does not break the connection that listens', async () => {
    const cluster = await RedisCluster.start();
    const bus = new LiveBus(new RedisTransport(cluster.url, 'heartbeat', HEARTBEAT_MS));
    let reconnects = 0;
    bus.onReconnect(() => (reconnects += 1));
    const heard: unknown[] = [];
    bus.subscribe('beat', (message) => heard.push(message));
    try {
      await bus.start();
      const before = reconnects;
      const begun = performance.now();
      for (let n = 0; performance.now() - begun < 10 * HEARTBEAT_MS; n += 1) {
        bus.publish('beat', n);
        await eventually(() => heard.includes(n));
      }
      expect(reconnects).toBe(before);
    } finally {
      await bus.close();
      await cluster.stop();
    }
  });
});
