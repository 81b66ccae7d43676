import { readFileSync } from 'node:fs';

/**
 * The promises of docs/performance.md#promises, which `npm run bench -- --check` verifies. `only`
 * is the letter of the row's group, `ratio` the least ratio of the product to its floor.
 *
 * @type {{ id: string, only: string, what: string, floor: string, ratio: number }[]}
 */
export const PROMISES = JSON.parse(readFileSync(new URL('promises.json', import.meta.url), 'utf8'));

/** @param {string} id @returns {number} the promised ratio */
export function promised(id) {
  const promise = PROMISES.find((one) => one.id === id);
  if (!promise) throw new Error(`promises.json has no ${id}`);
  return promise.ratio;
}

/**
 * Returns a sentence for each row whose ratio is below what is promised.
 *
 * @param {{ on: string, row: string, ratio?: number, target: string | number }[]} rows
 */
export function brokenPromises(rows) {
  return rows.flatMap(({ on, row, ratio, target }) =>
    typeof target === 'number' && !(ratio !== undefined && ratio >= target)
      ? [`${on}: ${row}: the ratio to the floor is ${ratio?.toFixed(2)}, promised is ${target}`]
      : [],
  );
}
