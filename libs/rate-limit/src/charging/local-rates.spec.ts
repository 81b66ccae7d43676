import { jest } from '@jest/globals';
import { LocalRates } from './local-rates.js';

const RULE = { key: 'incoming:one', limit: 2, windowMs: 1_000 };

test('allows the limit per key and window, and again in the next window', () => {
  let now = 5_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const rates = new LocalRates();
  expect([1, 2, 3].map(() => rates.consume(RULE))).toEqual([true, true, false]);
  expect(rates.consume({ ...RULE, key: 'incoming:two' })).toBe(true);
  now += 999;
  expect(rates.consume(RULE)).toBe(false);
  now += 1;
  expect([1, 2, 3].map(() => rates.consume(RULE))).toEqual([true, true, false]);
});
