import { TielineError } from '@tieline/sdk';
import { age, milliseconds, moment } from './durations.js';
import { EXIT } from './exit-codes.js';
import { Failure, reportFailure } from './failures.js';
import { fields, table } from './table.js';

describe('tables', () => {
  const columns = [
    { title: 'name', of: ({ name }: Row) => name },
    { title: 'events', of: ({ events }: Row) => events },
    { title: 'on', of: ({ on }: Row) => on },
  ];
  interface Row {
    name: string | null;
    events?: string[];
    on?: boolean;
  }

  test('are as wide as their content, and show missing values as a dash', () => {
    const rows: Row[] = [
      { name: 'Zürich', events: ['A', 'B'], on: true },
      { name: null, events: [] },
    ];
    expect(table(rows, columns)).toEqual(['NAME    EVENTS  ON', 'Zürich  A, B    true', '-       -       -']);
  });

  test('truncate long values, and never pass control characters to the terminal', () => {
    const [, line] = table([{ name: `\u001b[31m${'x'.repeat(70)}\n` }], columns.slice(0, 1));
    expect(line).toBe(` [31m${'x'.repeat(54)}…`);
  });

  test('of a single resource have a line for each field', () => {
    expect(fields({ id: 'b1', name: 'Bot', secret: undefined, breaker: { state: 'open' } })).toEqual([
      'id       b1',
      'name     Bot',
      'breaker  {"state":"open"}',
    ]);
  });
});

describe('durations', () => {
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
  ])('%s', (text, expected) => expect(milliseconds(text)).toBe(expected));

  test.each(['', '5', 'soon', '1h 5m'])('%j is none', (text) =>
    expect(() => milliseconds(text)).toThrow(Failure),
  );

  test('points in time are ages or timestamps', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(moment('90m', now)).toBe('2026-11-23T10:30:00.000Z');
    expect(moment('2026-11-22T09:00:00+01:00', now)).toBe('2026-11-22T08:00:00.000Z');
    expect(() => moment('2026-99-99', now)).toThrow(Failure);
  });

  test('ages are shown in their largest unit', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(
      ['2026-11-23T11:59:58Z', '2026-11-23T11:48:00Z', '2026-11-23T05:00:00Z', '2026-11-20T12:00:00Z'].map(
        (at) => age(at, now),
      ),
    ).toEqual(['2 s', '12 min', '7 h', '3 d']);
  });
});

describe('failures have exit codes', () => {
  test.each([
    [0, EXIT.unreachable],
    [400, EXIT.rejected],
    [401, EXIT.refused],
    [403, EXIT.refused],
    [404, EXIT.notFound],
    [409, EXIT.rejected],
    [410, EXIT.rejected],
    [429, EXIT.unreachable],
    [500, EXIT.failed],
    [503, EXIT.unreachable],
  ])('an answer %d: %d', (status, expected) =>
    expect(reportFailure(new TielineError('no', { status, code: 'x' }))).toMatchObject({
      exitCode: expected,
      code: 'x',
    }),
  );

  test('of our own', () => {
    expect(reportFailure(new Failure('no', EXIT.checkFailed, 'try'))).toEqual({
      exitCode: 7,
      message: 'no',
      code: 'check_failed',
      hint: 'try',
    });
    expect(reportFailure(new Error('odd'))).toMatchObject({ exitCode: 1, message: 'odd' });
    const lost = Object.assign(new Error('ENOENT: …'), { code: 'ENOENT', path: '/x/body' });
    expect(reportFailure(lost)).toMatchObject({ exitCode: 4, message: 'there is no file /x/body' });
  });
});
