import { formatAgo, formatBytes, formatDuration, formatNumber, formatShare } from './formats.js';

const now = Date.parse('2026-11-01T12:00:00Z');
const ago = (language: 'en' | 'ru', instant: string) => formatAgo(language, instant, now);

it('formats relative times in both languages, and old times as a date', () => {
  expect(ago('en', '2026-11-01T11:57:10Z')).toMatch(/^2 min/);
  expect(ago('en', '2026-11-01T14:00:00Z')).toMatch(/^in 2 h/);
  expect(ago('ru', '2026-11-01T09:00:00Z')).toMatch(/^3 ч/);
  expect(ago('en', '2026-10-01T12:00:00Z')).toMatch(/2026$/);
});

it('groups digits and chooses units', () => {
  expect(formatNumber('en', 12_345)).toBe('12,345');
  expect(formatShare('en', 0.9987)).toBe('99.9%');
  expect([formatDuration('en', 84), formatDuration('en', 1240), formatDuration('en', 90_000)]).toEqual([
    '84ms',
    '1.2s',
    '1.5m',
  ]);
  expect(formatBytes('en', 0)).toBe('0 bytes');
  expect(formatBytes('en', 2_500_000)).toBe('2.5 MB');
});
