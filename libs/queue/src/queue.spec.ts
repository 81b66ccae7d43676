import type { Queue as BullQueue } from 'bullmq';
import { BullWorkerHost } from './bull-worker-host.js';
import type { BullBackend } from './bull-backend.js';
import { CoalescingQueue } from './coalescing-queue.js';
import { JobGate } from './job-gate.js';
import { defineJob } from './jobs.js';
import { nextTick, refreshDelay, slotOf } from './slots.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const nowhere: BullBackend = {
  openQueue: () => Promise.reject(new Error('none')),
  openWorker: () => Promise.reject(new Error('none')),
};

describe('defineJob', () => {
  it('takes only names', () => {
    const job = defineJob('reports.daily-mail');
    expect(job).toBe('reports.daily-mail');
    for (const name of ['', 'Upper', 'a:b', 'a@1', '1a', 'a..b', 'a b'])
      expect(() => defineJob(name)).toThrow('no name for a job');
  });
});

describe('the start of a worker', () => {
  const [first, second] = [defineJob('start.first'), defineJob('start.second')];

  it('fails when a job has no handler', async () => {
    const host = new BullWorkerHost(nowhere, {}, [first, second]);
    host.register(first, () => Promise.resolve());
    await expect(host.start()).rejects.toThrow('no handler for the job start.second');
    expect(host.running).toBe(false);
  });

  it('knows how often each job runs by itself', () => {
    const host = new BullWorkerHost(nowhere);
    host.register(first, () => Promise.resolve(), { everyMs: 2_000 });
    host.register(second, () => Promise.resolve());
    expect([...host.jobs].map(([job, { everyMs }]) => [job, everyMs])).toEqual([
      [first, 2_000],
      [second, undefined],
    ]);
  });

  it('fails when a job has two handlers', () => {
    const host = new BullWorkerHost(nowhere, {}, [first]);
    host.register(first, () => Promise.resolve());
    expect(() => host.register(first, () => Promise.resolve())).toThrow('has two handlers');
  });
});

describe('slots', () => {
  it('end at or after the wanted moment, 250 ms wide, 1 s beyond a minute', () => {
    expect([10_000, 10_001, 10_250, 10_251].map((at) => slotOf(at, 9_000))).toEqual([
      10_000, 10_250, 10_250, 10_500,
    ]);
    expect([70_001, 70_999].map((at) => slotOf(at, 9_000))).toEqual([71_000, 71_000]);
  });

  it('ticks are the same for every process, whenever it asks', () => {
    expect([20_000, 20_001, 21_999].map((now) => nextTick(now, 2_000))).toEqual([22_000, 22_000, 22_000]);
  });

  it('a tick is set long before it is due, and looked after every 5 s', () => {
    for (const interval of [100, 2_000, 3_600_000]) {
      for (const now of [0, 30, 99, 1_234, 7_777]) {
        const next = now + refreshDelay(now, interval);
        expect(refreshDelay(now, interval)).toBeLessThanOrEqual(5_000);
        // Refreshing right after each tick: no tick between two refreshes is skipped.
        expect(nextTick(next, interval) - nextTick(now, interval)).toBeLessThanOrEqual(interval);
        if (interval <= 2_000) expect(nextTick(next, interval) - next).toBeGreaterThanOrEqual(interval * 0.8);
      }
    }
  });
});

describe('wake-ups', () => {
  it('that come while one is on its way share the next one', async () => {
    const added: (() => void)[] = [];
    const queue = { add: () => new Promise<void>((resolve) => added.push(resolve)) } as unknown as BullQueue;
    const backend = {
      ...nowhere,
      openQueue: () => Promise.resolve({ queue, close: () => Promise.resolve() }),
    };
    const wakeups = new CoalescingQueue(backend);
    await wakeups.opened();
    const job = defineJob('wake.shared');
    const first = wakeups.wake(job);
    await turn();
    const later = [wakeups.wake(job), wakeups.wake(job)];
    await turn();
    expect(added).toHaveLength(1);
    added[0]?.();
    expect(await first).toBe(true);
    await turn();
    expect(added).toHaveLength(2);
    later.push(wakeups.wake(job));
    added[1]?.();
    expect(await Promise.all(later.slice(0, 2))).toEqual([true, true]);
    await turn();
    expect(added).toHaveLength(3);
    added[2]?.();
    expect(await later[2]).toBe(true);
    await wakeups.close();
  });
});

describe('JobGate', () => {
  it('repeats a busy run once for all wake-ups that found it busy', async () => {
    const gate = new JobGate(1);
    const runs: (() => void)[] = [];
    const run = (): Promise<void> => new Promise((resolve) => runs.push(resolve));
    const all = [1, 2, 3].map(() => gate.enter(run, () => true));
    expect(runs).toHaveLength(1);
    await Promise.all(all.slice(1));
    runs[0]?.();
    await turn();
    expect(runs).toHaveLength(2);
    runs[1]?.();
    await all[0];
    expect(runs).toHaveLength(2);
  });

  it('lets as many through as its limit, and passes an error on', async () => {
    const gate = new JobGate(2);
    let running = 0;
    const hang = gate.enter(
      () => new Promise<void>(() => (running += 1)),
      () => true,
    );
    await expect(
      gate.enter(
        () => Promise.reject(new Error('handler')),
        () => true,
      ),
    ).rejects.toThrow('handler');
    void gate.enter(
      () => new Promise<void>(() => (running += 1)),
      () => true,
    );
    expect(running).toBe(2);
    expect(hang).toBeInstanceOf(Promise);
  });
});
