import { Redis } from 'ioredis';
import pg from 'pg';
import { createTestDatabase, eventually, freePort, RedisServer, testRedisUrl } from '@tieline/testing';
import { BullWorkerHost } from './bull-worker-host.js';
import { CoalescingQueue } from './coalescing-queue.js';
import { defineJob } from './jobs.js';
import type { JobName } from './jobs.js';
import { postgresBackend } from './postgres-backend.js';
import { redisBackend } from './redis-backend.js';

let jobs = 0;
const newJob = (): JobName => defineJob(`outage.job${(jobs += 1)}`);
const ignore = (): void => undefined;

/** Milliseconds that a wake-up took until it resolved. */
async function timed(work: Promise<boolean>): Promise<{ result: boolean; ms: number }> {
  const begun = performance.now();
  return { result: await work, ms: performance.now() - begun };
}

describe('queue on Postgres', () => {
  it('goes on within seconds after every connection was killed', async () => {
    const database = await createTestDatabase();
    const job = newJob();
    let runs = 0;
    const queue = new CoalescingQueue(postgresBackend(database.url, ignore));
    const host = new BullWorkerHost(postgresBackend(database.url, ignore), {}, [job]);
    host.register(job, () => Promise.resolve(void (runs += 1)));
    await Promise.all([host.start(), queue.opened()]);
    await queue.wake(job);
    await eventually(() => runs === 1);
    const admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    );
    await eventually(() => queue.wake(job), { timeoutMs: 3_000 });
    await eventually(() => runs === 2, { timeoutMs: 8_000 });
    await Promise.all([host.close(), queue.close(), admin.end()]);
    await database.drop();
  });

  it('resolves false, and at once, while there is no server', async () => {
    const queue = new CoalescingQueue(
      postgresBackend(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`, ignore),
    );
    const { result, ms } = await timed(queue.wake(newJob()));
    expect(result).toBe(false);
    expect(ms).toBeLessThan(500);
    await queue.close();
  });
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('queue on Redis', () => {
  const failed: string[] = [];
  let server: RedisServer;
  let queue: CoalescingQueue;
  let host: BullWorkerHost;
  let runs: number;
  let job: JobName;

  beforeEach(async () => {
    server = await RedisServer.start();
    job = newJob();
    runs = 0;
    failed.length = 0;
    queue = new CoalescingQueue(redisBackend(server.url, ignore), {
      wakeFailed: (name) => failed.push(name),
    });
    host = new BullWorkerHost(redisBackend(server.url, ignore), {}, [job]);
    host.register(job, () => Promise.resolve(void (runs += 1)));
    await Promise.all([host.start(), queue.opened()]);
  });
  afterEach(async () => {
    await Promise.all([host.close(), queue.close()]);
    await server.stop();
  });

  it('stopped: wake-ups resolve false without delay; started again, empty: wake-ups, timers and ticks come back within seconds', async () => {
    queue.every(job, 500);
    await eventually(() => runs >= 1);
    await server.stop();
    const first = await timed(queue.wake(job));
    expect(first.result).toBe(false);
    expect(first.ms).toBeLessThan(1_500);
    const later = await timed(queue.wakeAt(job, new Date(Date.now() + 5_000)));
    expect([later.result, later.ms < 1_500]).toEqual([false, true]);
    expect(failed).toContain(job);
    await server.resume();
    const before = runs;
    await eventually(() => queue.wake(job), { timeoutMs: 4_000 });
    await eventually(() => runs > before, { timeoutMs: 6_000 });
    const ticked = runs;
    await eventually(() => runs >= ticked + 3, { timeoutMs: 4_000 });
  });

  it('flushed while timers are pending: the ticks come back by themselves', async () => {
    queue.every(job, 1_000);
    await eventually(() => runs >= 1);
    await server.flush();
    const before = runs;
    await eventually(() => runs >= before + 2, { timeoutMs: 8_000 });
  });

  it('hanging: a wake-up resolves false within two seconds', async () => {
    const admin = new Redis(server.url);
    await admin.client('PAUSE', 4_000, 'ALL');
    const { result, ms } = await timed(queue.wake(job));
    expect(result).toBe(false);
    expect(ms).toBeLessThan(2_100);
    admin.disconnect();
    // The pause ends by itself; the same connections go on.
    await eventually(() => queue.wake(job), { timeoutMs: 8_000 });
    await eventually(() => runs >= 1, { timeoutMs: 8_000 });
  });

  it('away at the start: connects when it comes', async () => {
    const late = await RedisServer.start();
    await late.stop();
    const waiting = new CoalescingQueue(redisBackend(late.url, ignore));
    expect(await waiting.wake(job)).toBe(false);
    await late.resume();
    await eventually(() => waiting.wake(job), { timeoutMs: 4_000 });
    await waiting.close();
    await late.stop();
  });

  it('set up to evict keys: says so', async () => {
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const said: string[] = [];
    const other = new CoalescingQueue(redisBackend(server.url, (error) => said.push(error.message)));
    await other.opened();
    expect(said.join()).toContain('set it to noeviction');
    await other.close();
    await admin.quit();
  });

  it('closes while Redis is away: the run under way returns, its result is not waited for', async () => {
    const steps: string[] = [];
    const slow = newJob();
    const other = new BullWorkerHost(redisBackend(server.url, ignore), {}, [slow]);
    other.register(slow, async ({ signal }) => {
      steps.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await server.stop();
      steps.push('finished');
    });
    await host.close();
    await other.start();
    await queue.wake(slow);
    await eventually(() => steps.length === 1);
    const begun = performance.now();
    await Promise.all([other.close(), queue.close()]);
    expect(steps).toEqual(['begun', 'finished']);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});
