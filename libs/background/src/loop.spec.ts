import { jest } from '@jest/globals';
import { Loop } from './loop.js';

/** Work that the test ends. */
function heldWork(): { run: () => Promise<void>; begun: () => number; end: () => Promise<void> } {
  const ends: (() => void)[] = [];
  let begun = 0;
  const run = (): Promise<void> => {
    begun += 1;
    return new Promise((resolve) => ends.push(resolve));
  };
  return {
    run,
    begun: () => begun,
    end: async () => {
      ends.shift()?.();
      await turn();
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('requests of one turn share a run, and requests during it share one more', async () => {
  const work = heldWork();
  const loop = new Loop(work.run);
  loop.wake();
  loop.wake();
  await turn();
  expect(work.begun()).toBe(1);
  loop.wake();
  loop.wake();
  await turn();
  expect(work.begun()).toBe(1);
  await work.end();
  expect(work.begun()).toBe(2);
  await work.end();
  expect(work.begun()).toBe(2);
});

test('a run that returns true is repeated immediately', async () => {
  let left = 3;
  const loop = new Loop(() => --left > 0);
  loop.wake();
  await loop.drain();
  expect(left).toBe(0);
});

test('stop waits for the current run and starts no other', async () => {
  const work = heldWork();
  const loop = new Loop(work.run);
  loop.wake();
  await turn();
  loop.wake();
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await turn();
  expect(stopped).toBe(false);
  await work.end();
  await stopping;
  loop.wake();
  await turn();
  expect(work.begun()).toBe(1);
  expect(loop.stopped).toBe(true);
});

test('reports a failed run and waits for the next request', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const failing = (): void => {
    runs += 1;
    throw new Error(`run ${runs}`);
  };
  const loop = new Loop(failing, { failed: (error) => errors.push(error) });
  loop.wake();
  await loop.drain();
  expect(errors).toEqual([new Error('run 1')]);
  loop.wake();
  await loop.drain();
  expect(errors).toHaveLength(2);
});

describe('by the clock', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('ticks do not overlap, and end with stop', async () => {
    const work = heldWork();
    const loop = new Loop(work.run, { everyMs: 1000 }).start();
    await jest.advanceTimersByTimeAsync(999);
    expect(work.begun()).toBe(0);
    await jest.advanceTimersByTimeAsync(5001);
    expect(work.begun()).toBe(1);
    void work.end();
    await jest.advanceTimersByTimeAsync(1000);
    expect(work.begun()).toBe(2);
    void work.end();
    await loop.stop();
    await jest.advanceTimersByTimeAsync(5000);
    expect(work.begun()).toBe(2);
  });

  test('repeats a failed run after its pause, however often it is requested', async () => {
    let runs = 0;
    const loop = new Loop(
      () => {
        runs += 1;
        if (runs === 1) throw new Error('once');
      },
      { retryMs: 250 },
    );
    loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    loop.wake();
    await jest.advanceTimersByTimeAsync(249);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs).toBe(2);
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(2);
  });

  test('the pause can grow with consecutive failures, and is reset by a success', async () => {
    const moments: number[] = [];
    const begun = Date.now();
    const loop = new Loop(
      () => {
        moments.push(Date.now() - begun);
        if (moments.length !== 3) throw new Error('again');
      },
      { retryMs: (failures) => failures * 100 },
    );
    loop.wake();
    await jest.advanceTimersByTimeAsync(1000);
    expect(moments).toEqual([0, 100, 300]);
    loop.wake();
    await jest.advanceTimersByTimeAsync(150);
    expect(moments).toEqual([0, 100, 300, 1000, 1100]);
    await loop.stop();
  });

  test('with a rest, the first run starts immediately and later requests share the next', async () => {
    let runs = 0;
    const loop = new Loop(() => void (runs += 1), { restMs: 3 });
    loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(runs).toBe(1);
    loop.wake();
    loop.wake();
    await jest.advanceTimersByTimeAsync(2);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs).toBe(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(runs).toBe(2);
  });

  test('draining skips the delay', async () => {
    let runs = 0;
    const loop = new Loop(() => void (runs += 1), { lingerMs: 100 });
    loop.wake();
    await jest.advanceTimersByTimeAsync(50);
    expect(runs).toBe(0);
    await loop.drain();
    expect(runs).toBe(1);
  });
});
