import { jest } from '@jest/globals';
import { Metrics } from '@tieline/platform/observability';
import { pino } from 'pino';
import { QueueMetrics } from './queue.metrics.js';
import { QueueObserver } from './queue-observer.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function createObserver(): { lines: string[]; fail: () => void } {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const observer = new QueueObserver(new QueueMetrics(new Metrics()), logger);
  return { lines, fail: () => observer.failed(new Error('gone')) };
}

test('logs at most one queue failure per second', () => {
  const { lines, fail } = createObserver();
  for (let n = 0; n < 50; n += 1) fail();
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(1_001);
  fail();
  expect(lines).toHaveLength(2);
});

test('continues logging after the clock was set back by an hour', () => {
  const { lines, fail } = createObserver();
  fail();
  jest.setSystemTime(Date.now() - 3_600_000);
  jest.advanceTimersByTime(1_001);
  fail();
  expect(lines).toHaveLength(2);
});
