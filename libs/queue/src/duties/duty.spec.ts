import { jest } from '@jest/globals';
import type { Job } from 'bullmq';
import { Duty } from './duty.js';

const NOW = 1_000_000_000;
const HOUR_MS = 3_600_000;

let clock: jest.Spied<typeof Date.now>;
beforeEach(() => void (clock = jest.spyOn(Date, 'now').mockReturnValue(NOW)));
afterEach(() => clock.mockRestore());

class Counting extends Duty {
  runs = 0;
  protected override run(): Promise<void> {
    this.runs += 1;
    return Promise.resolve();
  }
}

function duty(): Counting {
  const counting = new Counting();
  counting.attach({ ran: () => undefined, failed: () => undefined, signal: new AbortController().signal });
  return counting;
}
const timerDueAt = (timestamp: number): Job => ({ queueName: 'duty', timestamp, opts: {} }) as Job;

it('a timer that was due when the last run began causes no run', async () => {
  const counting = duty();
  await counting.process(timerDueAt(NOW));
  await counting.process(timerDueAt(NOW - 250));
  expect(counting.runs).toBe(1);
});

it('after the clock was set back by an hour, timers cause runs as before', async () => {
  const counting = duty();
  await counting.process(timerDueAt(NOW));
  clock.mockReturnValue(NOW - HOUR_MS);
  await counting.process(timerDueAt(NOW - HOUR_MS));
  clock.mockReturnValue(NOW - HOUR_MS + 1000);
  await counting.process(timerDueAt(NOW - HOUR_MS + 1000));
  await counting.process(timerDueAt(NOW - HOUR_MS + 500));
  expect(counting.runs).toBe(3);
});
