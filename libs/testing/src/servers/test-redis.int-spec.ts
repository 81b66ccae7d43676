import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { ChildProgram } from '../processes/child-program.js';
import { killRedisClients } from './redis-clients.js';
import { RedisServer } from './redis-server.js';
import { testRedisUrl } from './test-redis.js';

const given = process.env.REDIS_URL;
/** No process has this id. */
const GONE = 2 ** 31 - 1;

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

/** Only the Redis variant of the tests requires a server binary. */
const onRedis = given === undefined ? () => undefined : describe;

onRedis('with a Redis server', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(async () => {
    await server.stop();
  });

  it('returns an empty database other than 0, and the same one for the same process', async () => {
    process.env.REDIS_URL = server.url;
    const first = await testRedisUrl();
    expect(first).toMatch(/\/([1-9]|1[0-5])$/);
    const redis = new Redis(first as string);
    await redis.set('left-over', '1');
    await redis.quit();
    await eventually(async () => expect(await testRedisUrl()).toBe(first));
    await redis.connect();
    expect(await redis.dbsize()).toBe(0);
    await redis.quit();
  });

  it('returns another one while an earlier system runs, whose jobs stay', async () => {
    process.env.REDIS_URL = server.url;
    const first = new Redis((await testRedisUrl()) as string);
    await first.set('job', '1');
    const second = new Redis((await testRedisUrl()) as string);
    await second.ping();
    const third = new Redis((await testRedisUrl()) as string);
    expect(new Set([first, second, third].map(({ options }) => options.db)).size).toBe(3);
    expect(await first.get('job')).toBe('1');
    for (const redis of [first, second, third]) await redis.quit();
  });

  it('gives each of many concurrent processes its own after the previous owners exited', async () => {
    const redis = new Redis(server.url);
    for (let n = 1; n <= 15; n += 1) await redis.set(`tieline-tests:database:${n}`, GONE);
    const module = new URL('test-redis.ts', import.meta.url).href;
    const loader = new URL('../../../../tools/jest/typescript-loader.mjs', import.meta.url).href;
    // Each process reports that it is ready, and all start together.
    const program = `
      const { testRedisUrl } = await import(${JSON.stringify(module)});
      console.log('ready');
      process.stdin.once('data', async () => console.log('has ' + (await testRedisUrl())));`;
    const args = ['--import', loader, '--input-type=module', '--eval', program];
    const env = { ...process.env, REDIS_URL: server.url };
    const programs = Array.from({ length: 5 }, () => new ChildProgram(process.execPath, args, { env }));
    try {
      await Promise.all(programs.map((one) => one.hasWritten(/ready/)));
      for (const one of programs) one.write('now');
      await Promise.all(programs.map((one) => one.hasWritten(/has redis/)));
      expect(new Set(programs.map(({ output }) => /has (.*)/.exec(output)?.[1])).size).toBe(5);
    } finally {
      await Promise.all(programs.map((one) => one.end()));
      redis.disconnect();
    }
  });

  it('cuts the named connections of one database and none of concurrent tests', async () => {
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

  it('is empty on the same port after a stop', async () => {
    const redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    await redis.set('key', 'value');
    await server.stop();
    await server.resume();
    expect(await redis.get('key')).toBeNull();
    await redis.quit();
  });
});
