import { jest } from '@jest/globals';
import { Metrics } from '@tieline/platform/observability';
import { pino } from 'pino';
import { QueueMetrics } from './queue.metrics.js';
import { QueueObserver } from './queue-observer.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function observed(): { lines: string[]; fail: () => void } {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const observer = new QueueObserver(new QueueMetrics(new Metrics()), logger);
  return { lines, fail: () => observer.failed(new Error('gone')) };
}

test('logs trouble with the queue once a second', () => {
  const { lines, fail } = observed();
  for (let n = 0; n < 50; n += 1) fail();
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(1_001);
  fail();
  expect(lines).toHaveLength(2);
});

test('logs as before after the clock was set back by an hour', () => {
  const { lines, fail } = observed();
  fail();
  jest.setSystemTime(Date.now() - 3_600_000);
  jest.advanceTimersByTime(1_001);
  fail();
  expect(lines).toHaveLength(2);
});
