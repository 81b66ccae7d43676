import { readMoment, showMoment } from './reminder-moment.js';

const NOW = '2026-11-21T07:00:00.500Z';

function read(text: string, zone = 'UTC', now = NOW): string {
  const moment = readMoment(text, zone, new Date(now));
  return 'problem' in moment ? moment.problem : `${moment.at.toISOString()} ${moment.rest}`;
}

test.each([
  ['in 10m tea', '2026-11-21T07:10:00.500Z tea'],
  ['in 2h tea', '2026-11-21T09:00:00.500Z tea'],
  ['in 3d tea', '2026-11-24T07:00:00.500Z tea'],
  ['IN 1H tea', '2026-11-21T08:00:00.500Z tea'],
  ['in  10m   tea\nand milk', '2026-11-21T07:10:00.500Z tea\nand milk'],
  ['tomorrow 09:00 tea', '2026-11-22T09:00:00.000Z tea'],
  ['Tomorrow 9:00 tea', '2026-11-22T09:00:00.000Z tea'],
  ['at 2026-12-01 09:00 tea', '2026-12-01T09:00:00.000Z tea'],
  ['at 2026-11-21 07:01 tea', '2026-11-21T07:01:00.000Z tea'],
  ['at 2028-02-29 00:00 tea', '2028-02-29T00:00:00.000Z tea'],
  ['in 10m', '2026-11-21T07:10:00.500Z '],
  ['in 10 minutes tea', '2026-11-21T07:10:00.500Z tea'],
  ['in 1 hour tea', '2026-11-21T08:00:00.500Z tea'],
  ['in 10min tea', '2026-11-21T07:10:00.500Z tea'],
  ['in 2 Hrs tea', '2026-11-21T09:00:00.500Z tea'],
  ['in 1 day tea', '2026-11-22T07:00:00.500Z tea'],
])('%s', (text, moment) => {
  expect(read(text)).toBe(moment);
});

test.each([
  'tea',
  '',
  'in tea',
  'in 10 tea',
  'in 10s tea',
  'in 10mtea',
  'in -5m tea',
  'in 1.5h tea',
  'in10m tea',
  'tomorrow tea',
  'tomorrow 9 tea',
  'tomorrow 24:00 tea',
  'tomorrow 09:60 tea',
  'at 2026-12-01 tea',
  'at 2026-13-01 09:00 tea',
  'at 2027-02-29 09:00 tea',
  'at 2026-12-01 25:00 tea',
  'at 2026-12-01T09:00 tea',
  'at 01.12.2026 09:00 tea',
  'yesterday 09:00 tea',
])('unreadable: %s', (text) => {
  expect(read(text)).toBe('unreadable');
});

test.each([
  'at 2026-11-21 07:00 tea',
  'at 2026-11-20 09:00 tea',
  'at 1999-01-01 00:00 tea',
  'in 0m tea',
  'in 0d tea',
])('past: %s', (text) => {
  expect(read(text)).toBe('past');
});

test('five years ahead is the maximum', () => {
  expect(read('at 2031-11-21 06:59 tea')).toBe('2031-11-21T06:59:00.000Z tea');
  expect([
    read('at 2031-11-21 07:01 tea'),
    read('in 2000d tea'),
    read('in 9999999d tea'),
    read('in 9999999h tea'),
    read('at 9999-12-31 23:59 tea'),
  ]).toEqual(Array(5).fill('far'));
});

describe('time zones', () => {
  test("times and tomorrow refer to the person's time zone", () => {
    expect(read('at 2026-12-01 09:00 tea', 'Europe/Berlin')).toBe('2026-12-01T08:00:00.000Z tea');
    expect(read('at 2026-07-01 09:00 tea', 'Europe/Berlin', '2026-01-01T00:00:00Z')).toBe(
      '2026-07-01T07:00:00.000Z tea',
    );
    expect(read('tomorrow 09:00 tea', 'Asia/Tokyo', '2026-11-21T16:00:00Z')).toBe(
      '2026-11-23T00:00:00.000Z tea',
    );
    expect(read('tomorrow 09:00 tea', 'America/Los_Angeles', '2026-11-22T07:00:00Z')).toBe(
      '2026-11-22T17:00:00.000Z tea',
    );
    expect(read('at 2026-12-01 09:00 tea', 'Asia/Kathmandu')).toBe('2026-12-01T03:15:00.000Z tea');
  });

  test('a time without a day is the next occurrence, today or tomorrow (mattermost-plugin-remind#201)', () => {
    expect(read('at 15:00 tea', 'UTC', '2026-11-21T09:00:00Z')).toBe('2026-11-21T15:00:00.000Z tea');
    expect(read('at 09:00 tea', 'UTC', '2026-11-21T09:00:00Z')).toBe('2026-11-22T09:00:00.000Z tea');
    expect(read('tomorrow at 09:00 tea', 'UTC', '2026-11-21T09:00:00Z')).toBe('2026-11-22T09:00:00.000Z tea');
  });

  test('spans can have several parts, and weeks', () => {
    const from = (text: string) => read(`${text} tea`, 'UTC', '2026-11-21T09:00:00Z');
    expect(from('in 1h30m')).toBe('2026-11-21T10:30:00.000Z tea');
    expect(from('in 1 hour 30 minutes')).toBe('2026-11-21T10:30:00.000Z tea');
    expect(from('in 2w')).toBe('2026-12-05T09:00:00.000Z tea');
    expect(read('in 2h 3 eggs', 'UTC', '2026-11-21T09:00:00Z')).toBe('2026-11-21T11:00:00.000Z 3 eggs');
  });

  test('a time skipped by the clock change is later by the skipped amount', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00.
    expect(read('at 2026-03-29 02:30 tea', 'Europe/Berlin', '2026-03-01T00:00:00Z')).toBe(
      '2026-03-29T01:30:00.000Z tea',
    );
    expect(read('tomorrow 02:30 tea', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe(
      '2026-03-29T01:30:00.000Z tea',
    );
    // New York, 8 March 2026.
    expect(read('at 2026-03-08 02:30 tea', 'America/New_York', '2026-03-01T00:00:00Z')).toBe(
      '2026-03-08T07:30:00.000Z tea',
    );
  });

  test('a time that occurs twice means the first occurrence, unless it has passed', () => {
    // Berlin, 25 October 2026: 02:00 to 03:00 occurs twice, from 00:00 and from 01:00 UTC.
    expect(read('at 2026-10-25 02:30 tea', 'Europe/Berlin', '2026-10-01T00:00:00Z')).toBe(
      '2026-10-25T00:30:00.000Z tea',
    );
    expect(read('at 2026-10-25 02:30 tea', 'Europe/Berlin', '2026-10-25T00:45:00Z')).toBe(
      '2026-10-25T01:30:00.000Z tea',
    );
    expect(read('at 2026-10-25 02:30 tea', 'Europe/Berlin', '2026-10-25T01:45:00Z')).toBe('past');
    // New York, 1 November 2026;seen just before the change and from afar.
    expect(read('at 2026-11-01 01:30 tea', 'America/New_York', '2026-10-31T12:00:00Z')).toBe(
      '2026-11-01T05:30:00.000Z tea',
    );
  });

  test('in 3d is the same time of day, in 72h is 72 hours', () => {
    expect(read('in 3d tea', 'Europe/Berlin', '2026-03-27T08:00:00Z')).toBe('2026-03-30T07:00:00.000Z tea');
    expect(read('in 72h tea', 'Europe/Berlin', '2026-03-27T08:00:00Z')).toBe('2026-03-30T08:00:00.000Z tea');
    expect(read('in 1d tea', 'Europe/Berlin', '2026-03-28T01:30:00Z')).toBe('2026-03-29T01:30:00.000Z tea');
  });

  test('is shown in the time zone, with its name', () => {
    expect(showMoment(new Date('2026-12-01T08:00:00Z'), 'Europe/Berlin')).toBe(
      '2026-12-01 09:00 (Europe/Berlin)',
    );
    expect(showMoment(new Date('2026-12-01T08:00:00Z'), 'UTC')).toBe('2026-12-01 08:00 (UTC)');
  });
});
