/** How far a walk over rows in the order of a time has come. */
export interface Found {
  id: string;
  /** As Postgres writes it, to the microsecond. */
  at: string;
}

const BATCH = 200;
const AT_ONCE = 8;

/**
 * Handles everything that `find` returns, batch by batch, a few at a time. A failure neither stops
 * the rest nor is retried.
 *
 * @param find rows after the one given, in their order
 * @returns the errors
 */
export async function eachInBatches<Row extends Found>(
  find: (after: Found | undefined, limit: number) => Promise<Row[]>,
  work: (row: Row) => Promise<void>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  let after: Row | undefined;
  for (;;) {
    const rows = await find(after, BATCH);
    after = rows.at(-1);
    const waiting = [...rows];
    const worker = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift())
        await work(row).catch((error: unknown) => errors.push(error));
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, worker));
    if (rows.length < BATCH) return errors;
  }
}
