import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { killRedisClients } from './redis-clients.js';
import { RedisServer } from './redis-server.js';
import { testRedisUrl } from './test-redis.js';

const given = process.env.REDIS_URL;

afterEach(() => {
  if (given === undefined) delete process.env.REDIS_URL;
  else process.env.REDIS_URL = given;
});

describe('testRedisUrl', () => {
  it('is undefined without REDIS_URL', async () => {
    delete process.env.REDIS_URL;
    expect(await testRedisUrl()).toBeUndefined();
  });
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = given === undefined ? () => undefined : describe;

onRedis('with a Redis server', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(async () => {
    await server.stop();
  });

  it('gives an emptied database other than 0, the same one to the same process', async () => {
    process.env.REDIS_URL = server.url;
    const first = await testRedisUrl();
    expect(first).toMatch(/\/([1-9]|1[0-5])$/);
    const redis = new Redis(first as string);
    await redis.set('left-over', '1');
    expect(await testRedisUrl()).toBe(first);
    expect(await redis.dbsize()).toBe(0);
    await redis.quit();
  });

  it('cuts the named connections of one database, and none of tests that run at the same time', async () => {
    const connect = async (database: number, name: string): Promise<Redis> => {
      const redis = new Redis(`${server.url}/${database}`, { connectionName: name, lazyConnect: true });
      await redis.connect();
      return redis;
    };
    const all = await Promise.all([connect(3, 'bus-1'), connect(3, 'other'), connect(4, 'bus-1')]);
    const closed: string[] = [];
    for (const redis of all)
      redis.once('close', () => closed.push(`${redis.options.db} ${redis.options.connectionName}`));
    expect(await killRedisClients(`${server.url}/3`, /^bus-/)).toBe(1);
    await eventually(() => closed.length > 0);
    for (const redis of all) await redis.ping();
    expect(closed).toEqual(['3 bus-1']);
    for (const redis of all) redis.disconnect();
  });

  it('comes back empty on the same port after a stop', async () => {
    const redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    await redis.set('key', 'value');
    await server.stop();
    await server.resume();
    expect(await redis.get('key')).toBeNull();
    await redis.quit();
  });
});
