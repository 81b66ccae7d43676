import { eventually, RedisCluster } from '@tieline/testing';
import { LiveBus } from './live-bus.js';
import { RedisTransport } from './redis-transport.js';

const HEARTBEAT_MS = 100;
/** Only the Redis variant of the suite has a server. */
const onRedis = process.env.REDIS_URL ? describe : () => undefined;

onRedis('in a Redis cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(() => cluster?.stop());

  test('a heartbeat does not break the connection that listens', async () => {
    const transport = new RedisTransport(cluster.url, 'heartbeat', HEARTBEAT_MS);
    const bus = new LiveBus(transport);
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
    }
  });
});
