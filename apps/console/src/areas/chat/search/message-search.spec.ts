import { isFiltered, messageSearch, searchQuery } from './message-search.js';

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

it('reads a search from an address and ignores what is invalid', () => {
  expect(messageSearch({ q: 'deploy', in: ID, has: 'file', after: '2026-11-20' })).toEqual({
    q: 'deploy',
    in: ID,
    has: 'file',
    after: '2026-11-20',
  });
  expect(messageSearch({ q: 4711 })).toEqual({ q: '4711' });
  expect(messageSearch({ q: '', in: '../x', from: 5, has: 'color', before: '2026-13-01', x: 1 })).toEqual({});
  expect(messageSearch({ q: 'a'.repeat(300) }).q).toHaveLength(200);
});

it('a day begins at midnight of the browser', () => {
  const midnight = new Date(2026, 10, 20).toISOString();
  expect(searchQuery({ q: 'x', after: '2026-11-20', before: '2026-11-20' })).toEqual({
    q: 'x',
    after: midnight,
    before: midnight,
  });
});

it('the text is no filter', () => {
  expect(isFiltered({ q: 'x' })).toBe(false);
  expect(isFiltered({ q: 'x', has: 'pin' })).toBe(true);
});
