/** A little less than a window of the rates lasts. */
const WINDOW_MS = 900;
const MAX_TRIES = 20;

/**
 * Repeats `work` until it took less than a second: only then do its requests belong to one window of the rates. It makes
 * callers of its own each time, so that tries know nothing of each other.
 */
export async function withinOneWindow<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const since = performance.now();
    const result = await work();
    if (performance.now() - since < WINDOW_MS) return result;
  }
  throw new Error('the machine is too slow for a test of rates');
}
