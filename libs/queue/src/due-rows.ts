import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';

/** The steps of a duty for due rows. */
export interface DueRowSteps<Row> {
  /** Locks the next due row, skipping locked ones. */
  claim(tx: Tx): Promise<Row | undefined>;
  /** Carries it out and takes it off the list. */
  carryOut(tx: Tx, row: Row): Promise<void>;
  /** Delays a row that could not be carried out, so that it blocks no other. */
  postpone(db: Db, row: Row): Promise<void>;
}

/**
 * Carries out every due row, one transaction each, all or nothing: each happens once, despite
 * crashes and concurrent workers.
 * @returns the errors of postponed rows
 */
export async function carryOutDueRows<Row>(
  db: Db,
  steps: DueRowSteps<Row>,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  while (!signal?.aborted) {
    const result = await carryOutNext(db, steps);
    if (result === 'none') break;
    if (result !== 'done') errors.push(result.error);
  }
  return errors;
}

async function carryOutNext<Row>(
  db: Db,
  steps: DueRowSteps<Row>,
): Promise<'none' | 'done' | { error: unknown }> {
  let inHand: Row | undefined;
  try {
    return await runInWorkerTx(db, async (tx) => {
      inHand = undefined; // of an earlier attempt of this transaction
      inHand = await steps.claim(tx);
      if (inHand === undefined) return 'none';
      await steps.carryOut(tx, inHand);
      return 'done';
    });
  } catch (error) {
    // Without a claimed row the database itself has failed: the next run retries.
    if (inHand === undefined) throw error;
    await steps.postpone(db, inHand);
    return { error };
  }
}
