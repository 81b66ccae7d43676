/** Number of classes per doubling, which makes a class 19 percent wide. */
const PER_DOUBLING = 4;
/** Index of the last class, which starts at 24 days. */
const LAST = 124;

/**
 * Returns the class of an age.
 * @param ms age in milliseconds
 */
export function ageClass(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST, Math.ceil(Math.log2(ms) * PER_DOUBLING));
}

/** Returns the upper bound of a class, in milliseconds. */
const oldestOf = (index: number): number => 2 ** (index / PER_DOUBLING);

/**
 * Returns the quantile `q` of the counted ages in whole milliseconds, with an error of at most one
 * class (19 percent). Returns null without counts.
 * @param counts number of ages per class
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

/** Adds up counts, class by class. */
export function sumOfAges(some: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...some.map((counts) => counts.length));
  return Array.from({ length }, (_, index) => some.reduce((sum, counts) => sum + (counts[index] ?? 0), 0));
}
