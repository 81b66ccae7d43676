import { eventually, RedisCluster } from '@tieline/testing';
import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { openAnyNode, openRedis } from './connections.js';
import type { RedisClient } from './connections.js';

const OPTIONS: RedisOptions = {
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt) => Math.min(attempt * 50, 500),
};
/** A script that counts. Each call passes the number of keys to ioredis. */
const COUNT = "return redis.call('INCRBY', KEYS[1], ARGV[1])";

interface Counting {
  countUp(keyCount: number, key: string, by: number): Promise<number>;
}

test.each([
  ['redis://127.0.0.1:7000', Redis],
  ['redis-cluster://127.0.0.1:7000?node=127.0.0.1:7001', Cluster],
])('%s opens a single server or a cluster', (url, kind) => {
  expect(openRedis(url, { lazyConnect: true })).toBeInstanceOf(kind);
  expect(openAnyNode(url, { lazyConnect: true })).toBeInstanceOf(Redis);
});

test.each(['redis://127.0.0.1:7000', 'redis-cluster://127.0.0.1:7000?node=127.0.0.1:7001'])(
  'lost connections of %s do not delay the end of the process',
  (url) => {
    const client = openRedis(url, { lazyConnect: true });
    const { disconnectTimeout } = client instanceof Cluster ? client.options.redisOptions! : client.options;
    expect(disconnectTimeout).toBe(200);
    expect(openAnyNode(url, { lazyConnect: true }).options.disconnectTimeout).toBe(200);
  },
);

/** Only the Redis variant of the suite has a server. */
const onRedis = process.env.REDIS_URL ? describe : () => undefined;

onRedis('a Redis cluster', () => {
  let cluster: RedisCluster;
  let redis: RedisClient;

  beforeAll(async () => {
    cluster = await RedisCluster.start({ replicas: true });
    redis = openRedis(cluster.url, OPTIONS);
    redis.on('error', () => undefined);
    redis.defineCommand('countUp', { lua: COUNT });
    await eventually(() => redis.status === 'ready');
  });

  afterAll(async () => {
    redis?.disconnect();
    await cluster?.stop();
  });

  it('executes commands and scripts whose keys are on different nodes, pipelined in one turn', async () => {
    const keys = Array.from({ length: 200 }, (_, n) => `key-${n}`);
    const { countUp } = redis as unknown as Counting;
    const counts = await Promise.all(keys.map((key, n) => countUp.call(redis, 1, key, n)));
    expect(counts).toEqual(keys.map((_, n) => n));
    expect(await Promise.all(keys.map((key) => redis.get(key)))).toEqual(keys.map((_, n) => String(n)));
    const masters = (redis as Cluster).nodes('master');
    const sizes = await Promise.all(masters.map((node) => node.dbsize()));
    expect(sizes.filter((size) => size > 0)).toHaveLength(3);
  });

  it('continues with the replica when a master is lost', async () => {
    await redis.set('kept', 'yes');
    await redis.wait(1, 1_000);
    await cluster.killMasterOf('kept');
    expect(await eventually(() => redis.get('kept'), { timeoutMs: 15_000 })).toBe('yes');
  });

  it('delivers messages between nodes, and reconnects a listener whose node is lost to another one', async () => {
    const [listener, publisher] = [openAnyNode(cluster.url, OPTIONS), openAnyNode(cluster.url, OPTIONS)];
    for (const one of [listener, publisher]) one.on('error', () => undefined);
    await eventually(() => listener.status === 'ready' && publisher.status === 'ready');
    const received: string[] = [];
    listener.on('message', (_channel, text: string) => received.push(text));
    await listener.subscribe('news');
    await publisher.publish('news', 'first');
    await eventually(() => received.includes('first'));
    const lost = listener.options.port;
    await cluster.kill(lost);
    await eventually(() => listener.status === 'ready' && listener.options.port !== lost);
    await eventually(async () => {
      await publisher.publish('news', 'second');
      return received.includes('second');
    });
    listener.disconnect();
    publisher.disconnect();
  });
});
