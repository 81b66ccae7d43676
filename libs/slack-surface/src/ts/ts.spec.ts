import { momentOf, secondsOf, sentAtOf, tsOf } from './ts.js';

test('a ts is the time of the message with microseconds', () => {
  expect(tsOf('2026-11-25T20:15:00.123456000Z')).toBe('1795637700.123456');
  expect(tsOf('2026-11-25T20:15:00.000001000Z')).toBe('1795637700.000001');
});

test('a ts is reversible', () => {
  for (const sentAt of ['2026-11-25T20:15:00.123456Z', '1970-01-01T00:00:01.000000Z'])
    expect(sentAtOf(tsOf(sentAt))).toBe(sentAt);
});

test.each([
  '',
  '1',
  '1795637700',
  '1795637700.1',
  '1795637700.1234567',
  '-1.000000',
  'p.123456',
  '1e9.000000',
])('%j is not a ts', (text) => {
  expect(sentAtOf(text)).toBeUndefined();
});

test('a limit may lack decimals', () => {
  expect(momentOf('0')).toBe('1970-01-01T00:00:00.000000Z');
  expect(momentOf('1795637700.5')).toBe('2026-11-25T20:15:00.500000Z');
  expect(momentOf('yesterday')).toBeUndefined();
});

test('times are also known in whole seconds', () => {
  expect(secondsOf('2026-11-25T20:15:00.999999Z')).toBe(1795637700);
});
