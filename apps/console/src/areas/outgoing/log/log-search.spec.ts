import { isFiltered, logQuery, logSearch } from './log-search.js';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');

it('parses valid parameters of an address and ignores others', () => {
  expect(
    logSearch({ tab: 'log', state: 'failed', code: '503', span: '1h', type: 'MESSAGE_CREATED' }),
  ).toEqual({
    tab: 'log',
    state: 'failed',
    code: 503,
    span: '1h',
    type: 'MESSAGE_CREATED',
  });
  expect(logSearch({ tab: 'nonsense', state: 7, code: 'abc', span: '9y', type: '', extra: 1 })).toEqual({});
});

it('requests failures with the filter that excludes redelivered ones, and states by status', () => {
  expect(logQuery({ state: 'failed' }, NOW)).toEqual({ filter: 'failed' });
  expect(logQuery({ state: 'dead', code: 410 }, NOW)).toEqual({ status: 'dead', code: 410 });
  expect(logQuery({ span: '1h' }, NOW)).toEqual({ since: '2026-11-01T11:00:00.000Z' });
  expect(logQuery({}, NOW)).toEqual({});
});

it('a tab and an open delivery are no filters', () => {
  expect(isFiltered({ tab: 'settings', delivery: 'x' })).toBe(false);
  expect(isFiltered({ code: 500 })).toBe(true);
});

test('two times in the address replace the period', () => {
  const [from, until] = ['2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z'];
  const search = logSearch({ from, until: 'yesterday', span: '1h' });
  expect(search).toEqual({ from, span: '1h' });
  expect(logQuery({ from, until, span: '1h' }, NOW)).toEqual({ since: from, until });
  expect([isFiltered({ until }), isFiltered({})]).toEqual([true, false]);
});
