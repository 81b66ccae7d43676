/** A value of a curve, or null without a measurement. */
export type Measurement = number | null;

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * Returns the smallest round number that is at least every value.
 *
 * @param least minimum result
 */
export function topOf(values: readonly Measurement[], least: number): number {
  const most = Math.max(least, ...values.map((value) => value ?? 0));
  const power = 10 ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? 10) * power;
}

/** Splits a curve at missing values. Each part has the positions and values of its points. */
export function runsOf(values: readonly Measurement[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (values[at - 1] === null || runs.length === 0) runs.push([]);
    runs.at(-1)?.push({ at, value });
  }
  return runs;
}
