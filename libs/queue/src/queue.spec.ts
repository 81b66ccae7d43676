import type { Queue as BullQueue } from 'bullmq';
import { CoalescingQueue } from './coalescing-queue.js';
import type { QueueServer } from './queue-server.js';
import { nextTick, slotOf } from './slots.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('end at or after the requested time, 250 ms wide, 1 s beyond a minute', () => {
    expect([10_000, 10_001, 10_250, 10_251].map((at) => slotOf(at, 9_000))).toEqual([
      10_000, 10_250, 10_250, 10_500,
    ]);
    expect([70_001, 70_999].map((at) => slotOf(at, 9_000))).toEqual([71_000, 71_000]);
  });

  it('ticks are the same for every process at any time', () => {
    expect([20_000, 20_001, 21_999].map((now) => nextTick(now, 2_000))).toEqual([22_000, 22_000, 22_000]);
  });
});

describe('wake-ups', () => {
  it('that come while one is being sent share the next one', async () => {
    const added: (() => void)[] = [];
    const bull = { add: () => new Promise<void>((resolve) => added.push(resolve)) } as unknown as BullQueue;
    const server = { reached: Promise.resolve(true) } as unknown as QueueServer;
    const wakeups = new CoalescingQueue(server, () => bull, { wakeFailed: () => undefined });
    await turn();
    const first = wakeups.wake('shared');
    await turn();
    const later = [wakeups.wake('shared'), wakeups.wake('shared')];
    await turn();
    expect(added).toHaveLength(1);
    added[0]?.();
    expect(await first).toBe(true);
    await turn();
    expect(added).toHaveLength(2);
    later.push(wakeups.wake('shared'));
    added[1]?.();
    expect(await Promise.all(later.slice(0, 2))).toEqual([true, true]);
    await turn();
    expect(added).toHaveLength(3);
    added[2]?.();
    expect(await later[2]).toBe(true);
  });
});
