import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import type { BullBackend } from './bull-backend.js';
import { BullWorkerHost } from './bull-worker-host.js';
import { CoalescingQueue } from './coalescing-queue.js';
import { defineJob } from './jobs.js';
import type { JobName } from './jobs.js';
import { postgresBackend } from './postgres-backend.js';
import type { JobHandler, JobOptions, QueueEvents } from './queue.js';
import { redisBackend } from './redis-backend.js';

const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
const failures: Error[] = [];

const backends: [string, () => BullBackend][] = [
  ['Postgres', () => postgresBackend(database.url, (error) => failures.push(error))],
];
if (redisUrl !== undefined)
  backends.push(['Redis', () => redisBackend(redisUrl, (error) => failures.push(error))]);

afterAll(() => database.drop());

let jobs = 0;
const newJob = (): JobName => defineJob(`test.job${(jobs += 1)}`);

describe.each(backends)('queue on %s', (_, backend) => {
  const open: { close(): Promise<void> }[] = [];
  let queue: CoalescingQueue;

  async function connect(events: QueueEvents = {}): Promise<CoalescingQueue> {
    const one = new CoalescingQueue(backend(), events);
    open.push(one);
    await one.opened();
    return one;
  }

  async function work(
    job: JobName,
    handler: JobHandler,
    options?: JobOptions,
    events?: QueueEvents,
  ): Promise<BullWorkerHost> {
    const host = new BullWorkerHost(backend(), events, [job]);
    open.push(host);
    host.register(job, handler, options);
    await host.start();
    return host;
  }

  beforeAll(async () => {
    queue = await connect();
  });
  // One worker at a time: hosts of different products never share a queue.
  afterEach(async () => {
    for (const each of open.splice(1)) await each.close();
  });
  afterAll(() => queue.close());

  it('runs the handler of a woken job elsewhere, and tells how long it took to come', async () => {
    const job = newJob();
    const lags: number[] = [];
    let runs = 0;
    await work(
      job,
      ({ job: name }) => Promise.resolve(void (runs += name === job ? 1 : 0)),
      {},
      { handled: (__, { lagMs }) => lags.push(lagMs) },
    );
    expect(await queue.wake(job)).toBe(true);
    await eventually(() => runs === 1 && lags.length === 1);
    expect(lags[0]).toBeLessThan(2_000);
  });

  it('makes one run of all wake-ups that are pending, from whatever process', async () => {
    const job = newJob();
    const other = await connect();
    for (let round = 0; round < 10; round += 1)
      await Promise.all([queue.wake(job), other.wake(job), queue.wake(job)]);
    let runs = 0;
    await work(job, () => Promise.resolve(void (runs += 1)));
    await eventually(() => runs > 0);
    await queue.wake(job);
    await eventually(() => runs >= 2);
    expect(runs).toBe(2);
  });

  it('a wake-up during a run is not lost: there is a run that begins after it', async () => {
    const job = newJob();
    const begun: number[] = [];
    let finish: () => void = () => undefined;
    await work(job, () => {
      begun.push(performance.now());
      return begun.length === 1 ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve();
    });
    await queue.wake(job);
    await eventually(() => begun.length === 1);
    expect(await queue.wake(job)).toBe(true);
    finish();
    await eventually(() => begun.length === 2);
  });

  it('no work is left over, however wake-ups and runs fall together', async () => {
    const job = newJob();
    let rows = 0;
    let done = 0;
    await work(
      job,
      async () => {
        const seen = rows;
        await sleep(Math.random() * 3);
        done = Math.max(done, seen);
      },
      { concurrency: 2 },
    );
    for (let row = 0; row < 200; row += 1) {
      rows += 1;
      void queue.wake(job);
      if (row % 5 === 0) await sleep(Math.random() * 4);
    }
    await eventually(() => done === 200, { timeoutMs: 5_000 });
  });

  it('runs no more handlers at a time than the job allows', async () => {
    const job = newJob();
    let running = 0;
    let most = 0;
    let runs = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await work(
      job,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await held;
        running -= 1;
        runs += 1;
      },
      { concurrency: 2 },
    );
    for (const busy of [1, 2]) {
      await queue.wake(job);
      await eventually(() => running === busy);
    }
    for (let n = 0; n < 10; n += 1) await queue.wake(job);
    release();
    await eventually(() => running === 0 && runs >= 3);
    expect(most).toBe(2);
  });

  it('fires a timer within 300 ms after its moment, and one for all of the same slot', async () => {
    const job = newJob();
    const fired: number[] = [];
    await work(job, () => Promise.resolve(void fired.push(Date.now())));
    const other = await connect();
    // Two moments within one slot of 250 ms, well ahead.
    const at = Math.ceil((Date.now() + 700) / 250) * 250;
    const set = [queue, other].flatMap((each) => [
      each.wakeAt(job, new Date(at)),
      each.wakeAt(job, new Date(at - 100)),
    ]);
    expect(await Promise.all(set)).toEqual([true, true, true, true]);
    await eventually(() => fired.length > 0);
    await queue.wake(job);
    await eventually(() => fired.length >= 2);
    expect(fired).toHaveLength(2);
    expect((fired[0] as number) - at).toBeGreaterThanOrEqual(-20);
    expect((fired[0] as number) - at).toBeLessThan(300);
  });

  it('a timer in the past is a wake-up', async () => {
    const job = newJob();
    let runs = 0;
    await work(job, () => Promise.resolve(void (runs += 1)));
    await queue.wakeAt(job, new Date(Date.now() - 60_000));
    await eventually(() => runs === 1);
  });

  it('ticks once per interval over all processes, until it is ended', async () => {
    const job = newJob();
    const ticks: number[] = [];
    await work(job, () => Promise.resolve(void ticks.push(Date.now())));
    const ends = [queue.every(job, 500), (await connect()).every(job, 500)];
    await eventually(() => ticks.length >= 4);
    ends.forEach((end) => end());
    for (let index = 1; index < ticks.length; index += 1) {
      expect((ticks[index] as number) - (ticks[index - 1] as number)).toBeGreaterThan(250);
    }
  });

  it('repeats a run that threw, after a second', async () => {
    const job = newJob();
    const errors: (Error | undefined)[] = [];
    let runs = 0;
    await work(
      job,
      () => ((runs += 1) === 1 ? Promise.reject(new Error('database away')) : Promise.resolve()),
      {},
      { handled: (__, { error }) => errors.push(error) },
    );
    await queue.wake(job);
    await eventually(() => runs === 2);
    await eventually(() => errors.length === 2);
    expect([errors[0]?.message, errors[1]]).toEqual(['database away', undefined]);
  });

  it('closing aborts the signal, waits for the run under way, and takes nothing more', async () => {
    const job = newJob();
    const steps: string[] = [];
    const host = await work(job, async ({ signal }) => {
      steps.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(50);
      steps.push('finished');
    });
    expect(host.running).toBe(true);
    await queue.wake(job);
    await eventually(() => steps.length === 1);
    await host.close();
    expect([steps, host.running]).toEqual([['begun', 'finished'], false]);
  });

  it('answers its readiness check, and false after close', async () => {
    const failed: string[] = [];
    const leaving = await connect({ wakeFailed: (job) => failed.push(job) });
    await leaving.check();
    await leaving.close();
    const job = newJob();
    expect(await leaving.wake(job)).toBe(false);
    expect(await leaving.wakeAt(job, new Date(Date.now() + 1_000))).toBe(false);
    await expect(leaving.check()).rejects.toThrow('not connected');
    expect(failed).toEqual([job, job]);
  });
});
