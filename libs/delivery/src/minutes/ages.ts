/** So many classes for each doubling: a class is 19 per cent wide. */
const PER_DOUBLING = 4;
/** The last class begins at 24 days. */
const LAST = 124;

/** The class of an age. @param ms milliseconds */
export function ageClass(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST, Math.ceil(Math.log2(ms) * PER_DOUBLING));
}

/** The oldest age of a class, in milliseconds. */
const oldestOf = (index: number): number => 2 ** (index / PER_DOUBLING);

/**
 * The age that the share `q` of all counted stay within, in whole milliseconds, at most a class (19
 * per cent) off; null where nothing was counted.
 * @param counts how many there are of each class
 */
export function ageQuantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = q * total;
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && seen + count >= wanted) {
      const from = index === 0 ? 0 : oldestOf(index - 1);
      return Math.round(from + ((oldestOf(index) - from) * (wanted - seen)) / count);
    }
    seen += count;
  }
  return Math.round(oldestOf(counts.length - 1));
}

/** Counts of classes, added up. */
export function sumOfAges(some: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...some.map((counts) => counts.length));
  return Array.from({ length }, (_, index) => some.reduce((sum, counts) => sum + (counts[index] ?? 0), 0));
}
