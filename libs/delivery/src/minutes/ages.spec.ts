import { ageClass, ageQuantile, sumOfAges } from './ages.js';

/** Returns the counts of these ages. */
function counted(ages: readonly number[]): number[] {
  const counts: number[] = [];
  for (const age of ages) counts[ageClass(age)] = (counts[ageClass(age)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

test.each([0.5, 0.95, 1])('the quantile %d has an error of at most one class', (q) => {
  const ages = Array.from({ length: 1000 }, (_, n) => 3 * (n + 1));
  const real = ages[Math.ceil(q * ages.length) - 1] as number;
  const told = ageQuantile(counted(ages), q) as number;
  expect(told / real).toBeGreaterThan(0.84);
  expect(told / real).toBeLessThan(1.19);
});

test.each([
  [-5, 0],
  [0, 0],
  [1, 0],
  [2, 4],
  [1000, 40],
  [86_400_000, 106],
  [Number.MAX_SAFE_INTEGER, 124],
])('an age of %d ms is in class %d', (ms, index) => expect(ageClass(ms)).toBe(index));

test('there is no quantile without counts', () => {
  expect([ageQuantile([], 0.5), ageQuantile([0, 0], 0.5)]).toEqual([null, null]);
});

test('counts of different lengths are added class by class', () => {
  expect(sumOfAges([[1], [0, 2, 3], []])).toEqual([1, 2, 3]);
  expect(sumOfAges([])).toEqual([]);
});
