import { KeyedSemaphore } from '@tieline/background';

/** Position in a list ordered by time. */
export interface BatchPosition {
  id: string;
  /** As formatted by Postgres, in microseconds. */
  at: string;
}

const BATCH = 200;
const AT_ONCE = 8;

/**
 * Handles all rows returned by `find`, in batches with limited concurrency. A failure neither stops
 * the rest nor is retried.
 *
 * @param find returns rows after the given one, in order
 * @returns the errors
 */
export async function eachInBatches<Row extends BatchPosition>(
  find: (after: BatchPosition | undefined, limit: number) => Promise<Row[]>,
  work: (row: Row) => Promise<void>,
): Promise<unknown[]> {
  const turns = new KeyedSemaphore(AT_ONCE);
  const errors: unknown[] = [];
  let after: Row | undefined;
  for (;;) {
    const rows = await find(after, BATCH);
    after = rows.at(-1);
    const each = rows.map((row) => turns.run('rows', () => work(row)));
    await Promise.all(each.map((done) => done.catch((error: unknown) => errors.push(error))));
    if (rows.length < BATCH) return errors;
  }
}
