import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Redis } from 'ioredis';
import { eventually, killRedisClients, RedisServer, testRedisUrl } from '@tieline/testing';
import { RateLimiterUnavailable } from '../rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const redisUrl = await testRedisUrl();

/** Far above the deadline, and far below the time that something else would end the calls. */
const SOON_MS = 8_000;
/** Longer than a decision takes on a busy machine. */
const deadlineMs = 60_000;

async function refusedWithin(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(work).rejects.toBeInstanceOf(RateLimiterUnavailable);
  return performance.now() - begun;
}

const rule = { key: 'outage', limit: 2, windowMs: 60_000 };

describe('rate limiter without a Redis server', () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  let limiter: RedisRateLimiter;

  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));
  beforeEach(() => {
    const { port } = silent.address() as AddressInfo;
    limiter = new RedisRateLimiter({ redisUrl: `redis://127.0.0.1:${port}` });
  });
  afterEach(() => limiter.close());
  afterAll(() => {
    sockets.forEach((socket) => socket.destroy());
    silent.close();
  });

  it('refuses at the deadline when the server accepts and never answers', async () => {
    expect(await refusedWithin(limiter.consume([rule]))).toBeLessThan(SOON_MS);
  });

  it('adds no listener for each call that waits for the first connection', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on('warning', keep);
    await Promise.all(Array.from({ length: 20 }, () => refusedWithin(limiter.consume([rule]))));
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });
});

/** Only the Redis variant of the suite has a server. */
const onRedis = redisUrl === undefined ? () => undefined : describe;

onRedis('rate limiter on Redis', () => {
  it('refuses immediately while Redis is down, and restarts at zero when it is back', async () => {
    const server = await RedisServer.start();
    const failures: Error[] = [];
    const limiter = new RedisRateLimiter({
      redisUrl: server.url,
      deadlineMs,
      onFailure: (error) => failures.push(error),
    });
    await limiter.consume([rule]);
    await limiter.consume([rule]);
    await server.stop();
    await eventually(() => failures.length > 0);
    expect(await refusedWithin(limiter.consume([rule]))).toBeLessThan(SOON_MS);
    expect(await refusedWithin(limiter.check())).toBeLessThan(SOON_MS);
    await limiter.refund([rule]);
    await server.resume();
    expect(await eventually(() => limiter.consume([rule]))).toEqual({ allowed: true });
    await limiter.close();
    await server.stop();
  });

  it('refunds hits that a server counted after the timeout', async () => {
    const server = await RedisServer.start();
    const limiter = new RedisRateLimiter({ redisUrl: server.url, deadlineMs: 4_000 });
    const admin = new Redis(server.url);
    expect((await eventually(() => limiter.consume([rule]))).allowed).toBe(true);
    await admin.client('PAUSE', 8_000, 'ALL');
    await refusedWithin(limiter.consume([rule]));
    await eventually(async () => expect(await admin.get('tieline:rate:outage')).toBe('1'));
    expect((await limiter.consume([rule])).allowed).toBe(true);
    expect((await limiter.consume([rule])).allowed).toBe(false);
    await admin.quit();
    await limiter.close();
    await server.stop();
  });

  it('continues after its connection was killed and its scripts were flushed', async () => {
    const limiter = new RedisRateLimiter({ redisUrl: redisUrl as string, deadlineMs });
    const admin = new Redis(redisUrl as string);
    expect((await limiter.consume([rule])).allowed).toBe(true);
    await admin.script('FLUSH');
    expect((await limiter.consume([rule])).allowed).toBe(true);
    expect(await killRedisClients(redisUrl as string, /^tieline-rate-limit/)).toBe(1);
    expect((await eventually(() => limiter.consume([rule]))).allowed).toBe(false);
    await admin.quit();
    await limiter.close();
  });
});
