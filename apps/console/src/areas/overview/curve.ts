/** A point of a curve; null where nothing was measured. */
export type Measured = number | null;

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * The scale of a chart's height: the smallest round number that no value is above.
 * @param least what it is at least
 */
export function topOf(values: readonly Measured[], least: number): number {
  const most = Math.max(least, ...values.map((value) => value ?? 0));
  const power = 10 ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? 10) * power;
}

/** The unbroken parts of a curve, each with its points' positions and values. */
export function runsOf(values: readonly Measured[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (values[at - 1] === null || runs.length === 0) runs.push([]);
    runs.at(-1)?.push({ at, value });
  }
  return runs;
}
