import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  createTestDatabase,
  eventually,
  freePort,
  RedisServer,
  startTcpProxy,
  testRedisUrl,
} from '@tieline/testing';
import type { DutyRun } from './index.js';
import { dutyOn, QueueRig } from './testing/queue-rig.js';

const NAME = 'test';
/** A heartbeat, or the end of a connection. A statement is longer. */
const HEARTBEAT_BYTES = 5;
const NOWHERE = 'postgres://nobody:x@127.0.0.1:1/none';

/** Far above the limits of the queue's end, and far below a wait for something that is gone. */
const CLOSED_MS = 10_000;
/** How often {@link immediately} repeats a call. */
const TIMES = 20;

/** Returns the milliseconds that `work` took. */
async function timed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

/** Expects that calls resolve false without waiting for the timeout of two seconds. */
async function immediately(call: () => Promise<boolean>): Promise<void> {
  const calls = async (): Promise<void> => {
    for (let n = 0; n < TIMES; n += 1) expect(await call()).toBe(false);
  };
  expect(await timed(calls())).toBeLessThan((TIMES * 2_000) / 2);
}

const open: QueueRig[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()));
});

async function work(
  databaseUrl: string,
  redisUrl: string | undefined,
  run: (run: DutyRun) => Promise<void>,
  everyMs?: number,
): Promise<QueueRig> {
  const rig = await QueueRig.open(databaseUrl, redisUrl, { duties: [dutyOn(NAME, run, everyMs)] });
  open.push(rig);
  return rig;
}

async function producer(databaseUrl: string, redisUrl?: string): Promise<QueueRig> {
  const rig = await QueueRig.open(databaseUrl, redisUrl, { queues: [NAME] });
  open.push(rig);
  return rig;
}

describe('queue on Postgres', () => {
  it('continues within seconds after every connection was killed', async () => {
    const database = await createTestDatabase();
    let runs = 0;
    const rig = await work(database.url, undefined, () => Promise.resolve(void (runs += 1)));
    await rig.queue.wake(NAME);
    await eventually(() => runs === 1);
    const admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    );
    await eventually(() => rig.queue.wake(NAME));
    await eventually(() => runs >= 2);
    // Woken by notifications: polling would find one job in five seconds.
    const more = async (): Promise<void> => {
      for (let n = 0; n < 10; n += 1) {
        const before = runs;
        await eventually(() => rig.queue.wake(NAME));
        await eventually(() => runs > before);
      }
    };
    expect(await timed(more())).toBeLessThan(30_000);
    await Promise.all([open.pop()?.close(), admin.end()]);
    await database.drop();
  });

  it('all processors of a process share a few connections without startup parameters', async () => {
    const database = await createTestDatabase();
    const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
    let runs = 0;
    const rig = await QueueRig.open(database.url, undefined, {
      duties: names.map((name) => dutyOn(name, () => Promise.resolve(void (runs += 1)))),
    });
    for (const name of names) await eventually(() => rig.queue.wake(name));
    await eventually(() => runs >= names.length);
    const admin = new pg.Client(database.url);
    await admin.connect();
    const { rows } = await admin.query<{ name: string; n: number }>(
      `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
       WHERE application_name LIKE 'tieline-%' AND datname = current_database() GROUP BY 1`,
    );
    const held = new Map(rows.map(({ name, n }) => [name, n]));
    expect(held.get('tieline-jobs')).toBe(1);
    expect(held.get('tieline-worker')).toBeLessThanOrEqual(4);
    expect(held.get('tieline-queue')).toBeLessThanOrEqual(2);
    await Promise.all([rig.close(), admin.end()]);
    await database.drop();
  });

  it('waiting processors execute one statement in five seconds, all together', async () => {
    const database = await createTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const sent: number[] = [];
    proxy.cutWhen((bytes) => {
      if (bytes.length > HEARTBEAT_BYTES) sent.push(performance.now());
      return undefined;
    });
    let runs = 0;
    const names = Array.from({ length: 12 }, (_, index) => `idle-${index}`);
    const rig = await QueueRig.open(proxy.url, undefined, {
      duties: names.map((name) => dutyOn(name, () => Promise.resolve(void (runs += 1)), 3_600_000)),
    });
    // A process that stood still longer than the lease of a job runs it again.
    await eventually(() => runs >= names.length && performance.now() - (sent.at(-1) ?? 0) > 1_000);
    sent.length = 0;
    const begun = performance.now();
    await sleep(10_000);
    await eventually(() => sent.length > 0);
    expect(sent.length).toBeLessThanOrEqual((performance.now() - begun) / 5_000 + 1);
    await rig.close();
    await proxy.close();
    await database.drop();
  });

  it('a job whose notification was lost, and one of a dead worker, are run', async () => {
    const database = await createTestDatabase();
    let runs = 0;
    const rig = await work(database.url, undefined, () => Promise.resolve(void (runs += 1)));
    const admin = new pg.Client(database.url);
    await admin.connect();
    await rig.bull(NAME).add('run', {}, { jobId: 'at-1', delay: 3_600_000 });
    await admin.query("UPDATE bullmq.job SET process_at_ms = 0 WHERE state = 'delayed'");
    await eventually(() => runs === 1);
    await rig.bull(NAME).add('run', {}, { jobId: 'at-2', delay: 3_600_000 });
    await admin.query(
      "UPDATE bullmq.job SET state = 'active', lock_token = 'dead', locked_until_ms = 0 WHERE state = 'delayed'",
    );
    await eventually(() => runs === 2, { timeoutMs: 60_000 });
    await Promise.all([open.pop()?.close(), admin.end()]);
    await database.drop();
  });

  it('an hourly duty runs at the start although the server accepted no job then', async () => {
    const database = await createTestDatabase();
    let runs = 0;
    const run = (): Promise<void> => Promise.resolve(void (runs += 1));
    const first = await work(database.url, undefined, run, 3_600_000);
    await eventually(() => runs === 1);
    await first.close();
    open.length = 0;
    const admin = new pg.Client(database.url);
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE tablename = 'dedup'",
    );
    expect(rows).toHaveLength(1);
    await admin.query(`BEGIN; LOCK TABLE ${rows[0]?.name} IN EXCLUSIVE MODE`);
    const second = await work(database.url, undefined, run, 3_600_000);
    const failures = `tieline_job_wake_failures_total{job="${NAME}"}`;
    await eventually(async () => ((await second.metric(failures)) ?? 0) > 0);
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    await admin.query('ROLLBACK');
    await eventually(() => runs === 2);
    await Promise.all([open.pop()?.close(), admin.end()]);
    await database.drop();
  });

  it('resolves false immediately while there is no server; the process ends in time', async () => {
    const rig = await producer(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`);
    await immediately(() => rig.queue.wake(NAME));
    expect(await timed(rig.close())).toBeLessThan(CLOSED_MS);
    open.length = 0;
  });
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('queue on Redis', () => {
  let server: RedisServer;
  let runs: number;
  const run = (): Promise<void> => Promise.resolve(void (runs += 1));

  beforeEach(async () => {
    server = await RedisServer.start();
    runs = 0;
  });
  afterEach(() => server.stop());

  it('wake-ups resolve false while Redis is stopped, and jobs run again after an empty restart', async () => {
    const rig = await work(NOWHERE, server.url, run, 500);
    await eventually(() => runs >= 2);
    await server.stop();
    await immediately(() => rig.queue.wake(NAME));
    await immediately(() => rig.queue.wakeAt(NAME, new Date(Date.now() + 5_000)));
    expect(await rig.metric(`tieline_job_wake_failures_total{job="${NAME}"}`)).toBeGreaterThanOrEqual(2);
    await server.resume();
    const before = runs;
    await eventually(() => rig.queue.wake(NAME));
    await eventually(() => runs > before);
    const ticked = runs;
    await eventually(() => runs >= ticked + 3);
  });

  it('flushed while timers are pending: the ticks return', async () => {
    await work(NOWHERE, server.url, run, 1_000);
    await eventually(() => runs >= 2);
    await server.flush();
    const before = runs;
    await eventually(() => runs >= before + 2);
  });

  it('hanging: a wake-up resolves false before the server answers', async () => {
    const rig = await work(NOWHERE, server.url, run);
    const admin = new Redis(server.url);
    await admin.client('PAUSE', 15_000, 'ALL');
    const waking = rig.queue.wake(NAME);
    expect(await timed(waking)).toBeLessThan(10_000);
    expect(await waking).toBe(false);
    admin.disconnect();
    // The pause ends by itself; the same connections continue.
    await eventually(() => rig.queue.wake(NAME), { timeoutMs: 60_000 });
    await eventually(() => runs >= 1);
  });

  it('down at the start: queues and processors start when it is up', async () => {
    await server.stop();
    const rig = await work(NOWHERE, server.url, run, 3_600_000);
    expect([await rig.queue.wake(NAME), rig.running]).toEqual([false, false]);
    await server.resume();
    await eventually(() => rig.running && runs >= 1);
    const before = runs;
    await eventually(() => rig.queue.wake(NAME));
    await eventually(() => runs > before);
  });

  it('down from start to end: the process ends in time', async () => {
    await server.stop();
    const rig = await work(NOWHERE, server.url, run);
    expect(await timed(rig.close())).toBeLessThan(CLOSED_MS);
  });

  it('configured to evict keys: logs a warning', async () => {
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const rig = await producer(NOWHERE, server.url);
    await eventually(() => expect(rig.lines.join()).toContain('set it to noeviction'));
    await admin.quit();
  });

  it('closes while the first command of a run has no answer', async () => {
    let taken = false;
    const duty = dutyOn(NAME, run);
    class CutOff extends duty {
      override async process(job: Job): Promise<void> {
        await server.stop();
        taken = true;
        await super.process(job);
      }

      protected override run(): Promise<void> {
        return run();
      }
    }
    const rig = await QueueRig.open(NOWHERE, server.url, { duties: [CutOff] });
    await rig.queue.wake(NAME);
    await eventually(() => taken);
    expect(await timed(rig.close())).toBeLessThan(CLOSED_MS);
    expect(runs).toBe(0);
  });

  it('closes while Redis is down: the current run returns, its result is not waited for', async () => {
    const steps: string[] = [];
    const rig = await work(NOWHERE, server.url, async ({ signal }) => {
      steps.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await server.stop();
      steps.push('finished');
    });
    await rig.queue.wake(NAME);
    await eventually(() => steps.length === 1);
    expect(await timed(rig.close())).toBeLessThan(CLOSED_MS);
    expect(steps).toEqual(['begun', 'finished']);
  });
});
