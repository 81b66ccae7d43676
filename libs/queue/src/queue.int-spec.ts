import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, eventually, slackMs, testRedisUrl } from '@tieline/testing';
import type { DutyRun } from './index.js';
import { dutyOn, QueueRig } from './testing/queue-rig.js';
import type { RigParts } from './testing/queue-rig.js';

const redisUrl = await testRedisUrl();
const database = await createTestDatabase();

const servers: [string, string | undefined][] = [['Postgres', undefined]];
if (redisUrl !== undefined) servers.push(['Redis', redisUrl]);

afterAll(() => database.drop());

let names = 0;
/** Tests share a server: each has separate queues. */
const newName = (): string => `test-${process.pid}-${(names += 1)}`;

describe.each(servers)('queue on %s', (_, redis) => {
  const open: QueueRig[] = [];

  async function rig(parts: RigParts): Promise<QueueRig> {
    const one = await QueueRig.open(database.url, redis, parts);
    open.push(one);
    return one;
  }

  const work = (name: string, run: (run: DutyRun) => Promise<void>, everyMs?: number): Promise<QueueRig> =>
    rig({ duties: [dutyOn(name, run, everyMs)] });

  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  it('runs the processor of a woken queue in another process, and measures the delay', async () => {
    const name = newName();
    let runs = 0;
    const worker = await work(name, () => Promise.resolve(void (runs += 1)));
    const { queue } = await rig({ queues: [name] });
    const begun = performance.now();
    expect(await queue.wake(name)).toBe(true);
    await eventually(async () => (await worker.metric(`tieline_job_lag_seconds_count{job="${name}"}`)) === 1);
    expect(runs).toBe(1);
    // The times of jobs are whole milliseconds.
    const passed = (performance.now() - begun + 1) / 1000;
    expect(await worker.metric(`tieline_job_lag_seconds_sum{job="${name}"}`)).toBeLessThanOrEqual(passed);
  });

  it('reports the last successful run of a duty, ignoring failed ones', async () => {
    const name = newName();
    const lastRun = (): Promise<number | undefined> =>
      worker.metric(`tieline_queue_last_run_timestamp_seconds{queue="${name}"}`);
    let fails = true;
    const run = (): Promise<void> => (fails ? Promise.reject(new Error('not done')) : Promise.resolve());
    const begun = Date.now() / 1000;
    const worker = await work(name, run, 3_600_000);
    expect(await worker.metric(`tieline_queue_interval_seconds{queue="${name}"}`)).toBe(3600);
    const atStart = (await lastRun()) ?? 0;
    expect(atStart).toBeGreaterThanOrEqual(begun);
    const failures = `tieline_job_duration_seconds_count{job="${name}",outcome="error"}`;
    await eventually(async () => ((await worker.metric(failures)) ?? 0) > 0);
    expect(await lastRun()).toBe(atStart);
    fails = false;
    await worker.queue.wake(name);
    await eventually(async () => ((await lastRun()) ?? 0) > atStart);
  });

  it('all pending wake-ups of all processes cause one run', async () => {
    const name = newName();
    const [one, other] = [await rig({ queues: [name] }), await rig({ queues: [name] })];
    for (let round = 0; round < 10; round += 1)
      await Promise.all([one.queue.wake(name), other.queue.wake(name), one.queue.wake(name)]);
    expect(await one.bull(name).getJobCountByTypes('waiting')).toBe(1);
    let runs = 0;
    await work(name, () => Promise.resolve(void (runs += 1)));
    await eventually(() => runs > 0);
    await one.queue.wake(name);
    await eventually(() => runs >= 2);
    expect(runs).toBe(2);
  });

  it('a wake-up during a run is not lost: another run starts after it', async () => {
    const name = newName();
    let runs = 0;
    let finish: () => void = () => undefined;
    const { queue } = await work(name, () =>
      (runs += 1) === 1 ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve(),
    );
    await queue.wake(name);
    await eventually(() => runs === 1);
    expect(await queue.wake(name)).toBe(true);
    finish();
    await eventually(() => runs === 2);
  });

  it('no work is left over, however wake-ups and runs overlap', async () => {
    const name = newName();
    let rows = 0;
    let done = 0;
    const run = async (): Promise<void> => {
      const seen = rows;
      await sleep(Math.random() * 3);
      done = Math.max(done, seen);
    };
    const { queue } = await work(name, run);
    await work(name, run);
    for (let row = 0; row < 200; row += 1) {
      rows += 1;
      void queue.wake(name);
      if (row % 5 === 0) await sleep(Math.random() * 4);
    }
    await eventually(() => done === 200);
  });

  it('runs a duty once at a time in a process, and concurrently on another', async () => {
    const name = newName();
    let most = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begin = (): { running: number; runs: number; run: () => Promise<void> } => {
      const own = {
        running: 0,
        runs: 0,
        run: async (): Promise<void> => {
          most = Math.max(most, (own.running += 1));
          own.runs += 1;
          await held;
          own.running -= 1;
        },
      };
      return own;
    };
    const [here, there] = [begin(), begin()];
    const { queue } = await work(name, here.run);
    await work(name, there.run);
    await queue.wake(name);
    await eventually(() => here.running + there.running === 1);
    await queue.wake(name);
    await eventually(() => here.running + there.running === 2);
    for (let n = 0; n < 10; n += 1) await queue.wake(name);
    release();
    await eventually(() => here.runs + there.runs === 3);
    expect(most).toBe(1);
  });

  it('fires timers within 300 ms after their time', async () => {
    const name = newName();
    let firedAt = 0;
    const { queue } = await work(name, () => Promise.resolve(void (firedAt = Date.now())));
    // A busy machine delays some. A search every few seconds would find no two in a row in time.
    let inTime = 0;
    for (let n = 0; n < 30 && inTime < 3; n += 1) {
      firedAt = 0;
      const at = Math.ceil((Date.now() + 700) / 250) * 250;
      expect(await queue.wakeAt(name, new Date(at))).toBe(true);
      await eventually(() => firedAt > 0);
      inTime = firedAt - at < 300 + slackMs ? inTime + 1 : 0;
    }
    expect(inTime).toBe(3);
  });

  it('fires one timer for all of the same slot, and not before its time', async () => {
    const name = newName();
    const fired: number[] = [];
    const { queue } = await work(name, () => Promise.resolve(void fired.push(Date.now())));
    const other = await rig({ queues: [name] });
    // Two times within one slot of 250 ms, so far ahead that all calls come before it.
    const at = Math.ceil((Date.now() + 5_000) / 250) * 250;
    const set = [queue, other.queue].flatMap((each) => [
      each.wakeAt(name, new Date(at)),
      each.wakeAt(name, new Date(at - 100)),
    ]);
    expect(await Promise.all(set)).toEqual([true, true, true, true]);
    await eventually(() => fired.length > 0);
    await queue.wake(name);
    await eventually(() => fired.length >= 2);
    expect(fired).toHaveLength(2);
    expect((fired[0] as number) - at).toBeGreaterThanOrEqual(-20);
  });

  it('timers that were due during a long run cause no runs after a later one', async () => {
    const name = newName();
    const begun: number[] = [];
    let finish: () => void = () => undefined;
    const worker = await work(name, () => {
      begun.push(Date.now());
      return begun.length === 1 ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve();
    });
    const { queue } = worker;
    await queue.wake(name);
    await eventually(() => begun.length === 1);
    const slots = [1, 2, 3, 4].map((n) => new Date(Math.ceil(Date.now() / 250) * 250 + n * 250));
    for (const slot of slots) await queue.wakeAt(name, slot);
    await eventually(() => Date.now() > (slots.at(-1)?.getTime() ?? 0) + 50);
    finish();
    const left = (): Promise<number> => worker.bull(name).getJobCountByTypes('waiting', 'delayed', 'active');
    await eventually(async () => (await left()) === 0);
    expect(begun).toHaveLength(2);
  });

  it('a timer in the past is a wake-up', async () => {
    const name = newName();
    let runs = 0;
    const { queue } = await work(name, () => Promise.resolve(void (runs += 1)));
    await queue.wakeAt(name, new Date(Date.now() - 60_000));
    await eventually(() => runs === 1);
  });

  it('ticks once per interval over all processes', async () => {
    const name = newName();
    const begun = Date.now();
    const ticks: number[] = [];
    const run = (): Promise<void> => Promise.resolve(void ticks.push(Date.now()));
    await work(name, run, 500);
    await work(name, run, 500);
    await eventually(() => ticks.length >= 10);
    // Each process also looks once at its start, and the first tick may be due immediately. A late
    // tick may come just before the next.
    expect((ticks[9] as number) - begun).toBeGreaterThan(7 * 500 - 50);
  });

  it('repeats a run that threw after a second, and logs it', async () => {
    const name = newName();
    let runs = 0;
    const worker = await work(name, () =>
      (runs += 1) === 1 ? Promise.reject(new Error('database away')) : Promise.resolve(),
    );
    await worker.queue.wake(name);
    await eventually(() => runs === 2);
    const count = (outcome: string): Promise<number | undefined> =>
      worker.metric(`tieline_job_duration_seconds_count{job="${name}",outcome="${outcome}"}`);
    await eventually(async () => (await count('ok')) === 1 && (await count('error')) === 1);
    expect(worker.lines.join()).toContain('database away');
  });

  it('closing aborts the signal, waits for the current run, and takes no further jobs', async () => {
    const name = newName();
    const steps: string[] = [];
    const worker = await work(name, async ({ signal }) => {
      steps.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(50);
      steps.push('finished');
    });
    expect(worker.running).toBe(true);
    await worker.queue.wake(name);
    await eventually(() => steps.length === 1);
    await worker.close();
    expect([steps, worker.running]).toEqual([['begun', 'finished'], false]);
  });

  it('answers its readiness check, and false after close', async () => {
    const name = newName();
    const leaving = await rig({ queues: [name] });
    await leaving.queue.check();
    await leaving.close();
    expect(await leaving.queue.wake(name)).toBe(false);
    expect(await leaving.queue.wakeAt(name, new Date(Date.now() + 1_000))).toBe(false);
    await expect(leaving.queue.check()).rejects.toThrow();
    expect(await leaving.metric(`tieline_job_wake_failures_total{job="${name}"}`)).toBe(2);
  });
});
