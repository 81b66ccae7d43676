import { backoffMs, EXTENDED_ATTEMPTS, extendedBackoffMs, retryAfterMs } from './retry-policy.js';

const CONTRACT = { initialMs: 5000, maxMs: 3_600_000 };

test.each([
  [1, 5000],
  [2, 10_000],
  [3, 20_000],
  [4, 40_000],
  [5, 80_000],
  [6, 160_000],
  [7, 320_000],
  [11, 3_600_000],
  [500, 3_600_000],
])('after attempt %i the base delay is %i ms, plus or minus 20 percent', (attempt, base) => {
  expect(backoffMs(CONTRACT, attempt, 0)).toBe(base * 0.8);
  expect(backoffMs(CONTRACT, attempt, 0.5)).toBe(base);
  expect(backoffMs(CONTRACT, attempt, 0.999999)).toBeLessThanOrEqual(base * 1.2);
});

test('the extended profile has 12 attempts over more than two days, 20 percent more or less', () => {
  const HOUR = 3_600_000;
  const bases = [5000, 30_000, 120_000, 600_000, HOUR / 2, ...[1, 2, 4, 8, 16, 24].map((n) => n * HOUR)];
  expect(bases.map((_, n) => extendedBackoffMs(n + 1, 0.5))).toEqual(bases);
  expect(extendedBackoffMs(1, 0)).toBe(4000);
  expect(extendedBackoffMs(11, 0.999999)).toBeLessThanOrEqual(24 * HOUR * 1.2);
  expect(EXTENDED_ATTEMPTS).toBe(12);
});

const NOW = new Date('2026-11-21T10:00:00Z');

test.each<[string, number, string | undefined, string, number | undefined]>([
  ['seconds', 429, '7', '', 7000],
  ['seconds on 503', 503, ' 12 ', '', 12_000],
  ['an HTTP date', 429, 'Sat, 21 Nov 2026 10:00:30 GMT', '', 30_000],
  ['a past date', 429, 'Sat, 21 Nov 2026 09:00:00 GMT', '', undefined],
  ['zero', 429, '0', '', undefined],
  ['one hour', 429, '3600', '', 3_600_000],
  ['over one hour', 429, '3601', '', undefined],
  ['a header out of range before a body in range', 429, '0', '{"retry_after": 5}', undefined],
  ['an unreadable header before a body', 429, 'soon', '{"retry_after": 5}', 5000],
  ['retry_after in the body', 429, undefined, '{"retry_after": 2.5}', 2500],
  ['retry_after as text', 503, undefined, '{"retry_after": "3"}', 3000],
  ['a bare number in the body', 429, undefined, ' 9 ', 9000],
  ['a negative number in the body', 429, undefined, '-9', undefined],
  ['nonsense in the body', 429, undefined, 'later', undefined],
  ['JSON null in the body', 429, undefined, 'null', undefined],
  ['no wait at all', 429, undefined, '', undefined],
  ['another status', 500, '7', '', undefined],
])('Retry-After: %s', (_, status, header, body, expected) => {
  expect(retryAfterMs(status, header, body, NOW)).toBe(expected);
});
