import { isQuietAt, isTimeOfDay, isTimeZone } from './quiet-hours.js';

const span = (start: string, end: string, timeZone = 'UTC') => ({ start, end, timeZone });

test.each([
  ['09:00', '17:00', '08:59', false],
  ['09:00', '17:00', '09:00', true],
  ['09:00', '17:00', '16:59', true],
  ['09:00', '17:00', '17:00', false],
  ['22:00', '07:00', '21:59', false],
  ['22:00', '07:00', '22:00', true],
  ['22:00', '07:00', '00:00', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['22:00', '00:00', '23:59', true],
  ['22:00', '00:00', '00:00', false],
  ['00:00', '23:59', '23:58', true],
  ['00:00', '23:59', '23:59', false],
  ['08:00', '08:00', '08:00', false],
])('%s to %s at %s is %s', (start, end, at, quiet) => {
  expect(isQuietAt(span(start, end), new Date(`2026-03-10T${at}:30Z`))).toBe(quiet);
});

test('the last millisecond before the end is quiet, the end is not', () => {
  expect(isQuietAt(span('22:00', '07:00'), new Date('2026-03-10T06:59:59.999Z'))).toBe(true);
  expect(isQuietAt(span('22:00', '07:00'), new Date('2026-03-10T07:00:00.000Z'))).toBe(false);
});

test.each([
  ['Asia/Kathmandu', '2026-03-10T16:15:00Z', true],
  ['Asia/Kathmandu', '2026-03-10T16:14:59Z', false],
  ['America/St_Johns', '2026-01-10T01:30:00Z', true],
  ['America/St_Johns', '2026-01-10T01:29:59Z', false],
])('uses the clock of the zone: 22:00 in %s at %s is %s', (zone, at, quiet) => {
  expect(isQuietAt(span('22:00', '07:00', zone), new Date(at))).toBe(quiet);
});

test('follows the wall clock when daylight saving begins and ends', () => {
  const berlin = span('22:00', '07:00', 'Europe/Berlin');
  expect(isQuietAt(berlin, new Date('2026-03-29T05:30:00Z'))).toBe(false);
  expect(isQuietAt(berlin, new Date('2026-03-28T05:30:00Z'))).toBe(true);
  expect(isQuietAt(berlin, new Date('2026-10-25T05:30:00Z'))).toBe(true);
});

test('without quiet hours no time is quiet', () => {
  expect(isQuietAt(null, new Date())).toBe(false);
});

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['9:00', false],
  ['09:60', false],
  ['09:00 ', false],
  ['09:00:00', false],
  ['', false],
])('"%s" as a time of day is %s', (text, valid) => expect(isTimeOfDay(text)).toBe(valid));

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Phobos', false],
  ['+03:00', false],
  ['', false],
  ['Europe', false],
])('"%s" as a time zone is %s', (name, valid) => expect(isTimeZone(name)).toBe(valid));
