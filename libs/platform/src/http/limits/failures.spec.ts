import { jest } from '@jest/globals';
import { Failures } from './failures.js';

test('counts wrong guesses by address in windows of a minute', () => {
  const failures = new Failures(2);
  const isHeard = (address: string, now: number): boolean => {
    try {
      failures.requireFew(address, now);
      return true;
    } catch {
      return false;
    }
  };
  failures.add('a', 0);
  expect(isHeard('a', 1)).toBe(true);
  failures.add('a', 59_999);
  expect([isHeard('a', 59_999), isHeard('b', 59_999), isHeard('a', 60_000)]).toEqual([false, true, true]);
  failures.add('a', 60_000);
  expect(isHeard('a', 60_001)).toBe(true);
});

test('changes of the system clock do not affect the window', () => {
  jest.useFakeTimers();
  try {
    const failures = new Failures(1);
    failures.add('a');
    jest.setSystemTime(Date.now() + 3_600_000);
    expect(() => failures.requireFew('a')).toThrow();
    jest.setSystemTime(Date.now() - 7_200_000);
    jest.advanceTimersByTime(60_001);
    failures.requireFew('a');
  } finally {
    jest.useRealTimers();
  }
});

test('counts IPv6 addresses of one /64 together', () => {
  const failures = new Failures(2);
  failures.add('2001:db8::1', 0);
  failures.add('2001:db8::2', 0);
  expect(() => failures.requireFew('2001:db8::3', 1)).toThrow('rate limit exceeded');
  expect(() => failures.requireFew('2001:db8:0:1::1', 1)).not.toThrow();
});
