import { RateSlots } from './rate-slots.js';

test('a backlog is spread at the rate, from 30 seconds ahead', () => {
  const slots = new RateSlots();
  const ats = Array.from({ length: 11 }, () => slots.next('t', 5, 1000).getTime());
  expect(ats[0]).toBe(31_000);
  expect(ats[5]).toBe(32_000);
  expect(ats[10]).toBe(33_000);
  expect(slots.next('other', 5, 1000).getTime()).toBe(31_000);
});
