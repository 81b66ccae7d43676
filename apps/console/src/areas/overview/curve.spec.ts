import { runsOf, topOf } from './curve.js';

it('has a round maximum above all values', () => {
  expect([[3], [4.1], [5], [11, null], [180], [999], [1001]].map((values) => topOf(values, 1))).toEqual([
    3, 5, 5, 15, 200, 1000, 1500,
  ]);
  expect(topOf([null], 10)).toBe(10);
});

it('breaks at missing values', () => {
  expect(runsOf([null, 1, 2, null, null, 3])).toEqual([
    [
      { at: 1, value: 1 },
      { at: 2, value: 2 },
    ],
    [{ at: 5, value: 3 }],
  ]);
  expect(runsOf([null, null])).toEqual([]);
});
