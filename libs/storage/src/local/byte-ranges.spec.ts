import { clientHasCurrent, rangeApplies, requestedRange } from './byte-ranges.js';

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-4', { start: 2, end: 4 }],
  ['bytes=9-', { start: 9, end: 9 }],
  ['bytes=5-5000', { start: 5, end: 9 }],
  ['bytes=-4', { start: 6, end: 9 }],
  ['bytes=-40', { start: 0, end: 9 }],
  ['BYTES= 1-2 ', { start: 1, end: 2 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [undefined, undefined],
  ['', undefined],
  ['bytes=', undefined],
  ['bytes=-', undefined],
  ['bytes=4-2', undefined],
  ['bytes=1-2,4-5', undefined],
  ['bytes=a-b', undefined],
  ['bytes=1.5-3', undefined],
  ['bytes=--3', undefined],
  ['lines=1-2', undefined],
])('of ten bytes, %j requests %j', (header, expected) => {
  expect(requestedRange(header, 10)).toEqual(expected);
});

it('finds nothing in an empty object', () => {
  expect(requestedRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(requestedRange('bytes=-1', 0)).toBe('unsatisfiable');
});

it('allows a range only for the same bytes', () => {
  expect(
    [undefined, '"a"', ' "a" ', '"b"', 'W/"a"', 'Wed, 21 Oct 2026 07:28:00 GMT'].map((value) =>
      rangeApplies(value, '"a"'),
    ),
  ).toEqual([true, true, true, false, false, false]);
});

it('recognizes what a client already has', () => {
  expect(
    [undefined, '"b"', 'a', '"a"', 'W/"a"', '"b", "a"', '*'].map((value) => clientHasCurrent(value, '"a"')),
  ).toEqual([false, false, false, true, true, true, true]);
});
