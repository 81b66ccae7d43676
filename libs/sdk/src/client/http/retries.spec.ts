import { pauseMs, retryAfterMs } from './retries.js';

const NOW = Date.parse('Sat, 31 Jan 2026 09:00:00 GMT');

test.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': ' 0.5 ' }, 500],
  [{ 'retry-after': 'Sat, 31 Jan 2026 09:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Sat, 31 Jan 2026 09:00:10 GMT', date: 'Sat, 31 Jan 2026 09:00:08 GMT' }, 2000],
  [{ 'retry-after': 'Sat, 31 Jan 2026 08:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('Retry-After of %j is %p ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});

test('the delay follows Retry-After and spreads clients', () => {
  expect(pauseMs(1, 4000, () => 0)).toBe(4000);
  expect(pauseMs(1, 4000, () => 1)).toBe(5000);
  expect(pauseMs(1, 60_000, () => 1)).toBe(65_000);
});

test('without Retry-After the delay doubles up to 20 seconds', () => {
  expect([1, 2, 3, 4].map((failures) => pauseMs(failures, undefined, () => 1))).toEqual([
    250, 500, 1000, 2000,
  ]);
  expect(pauseMs(30, undefined, () => 1)).toBe(20_000);
  expect(pauseMs(1, undefined, () => 0)).toBe(125);
});
