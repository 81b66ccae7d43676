import { jest } from '@jest/globals';
import type { LiveReceiver } from './live-audience.js';
import { ResyncNotifier } from './resync-notifier.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

class Stream implements LiveReceiver {
  readonly told: number[] = [];
  receive(): void {}
  failed(): void {}
  missed(): void {
    this.told.push(Date.now());
  }
}

test('consecutive gaps cause one immediate resync and one for all later gaps', () => {
  const [resyncs, stream] = [new ResyncNotifier(), new Stream()];
  for (let n = 0; n < 10; n += 1) resyncs.notify(stream, 1);
  expect(stream.told).toHaveLength(1);
  jest.advanceTimersByTime(60_000);
  expect(stream.told).toHaveLength(2);
  resyncs.notify(stream, 1);
  expect(stream.told).toHaveLength(3);
});

test('a clock set back by an hour does not delay a resync', () => {
  const [resyncs, stream] = [new ResyncNotifier(), new Stream()];
  resyncs.notify(stream, 1);
  jest.setSystemTime(Date.now() - 3_600_000);
  resyncs.notify(stream, 1);
  jest.advanceTimersByTime(5000);
  expect(stream.told).toHaveLength(2);
});

test('many streams resync one after another, all within ten seconds', () => {
  const resyncs = new ResyncNotifier();
  const streams = Array.from({ length: 20_000 }, () => new Stream());
  for (const stream of streams) resyncs.notify(stream, streams.length);
  const told = (): number => streams.filter((stream) => stream.told.length > 0).length;
  jest.advanceTimersByTime(1000);
  expect(told()).toBeGreaterThan(1500);
  expect(told()).toBeLessThan(2500);
  jest.advanceTimersByTime(9000);
  expect(told()).toBe(20_000);
});

test('a closed stream gets no resync', () => {
  const [resyncs, stream] = [new ResyncNotifier(), new Stream()];
  resyncs.notify(stream, 1);
  resyncs.notify(stream, 1);
  resyncs.cancel(stream);
  jest.advanceTimersByTime(60_000);
  expect(stream.told).toHaveLength(1);
});
