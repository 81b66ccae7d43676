import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';

/** Steps for processing due rows. */
export interface DueRowSteps<Row> {
  /** Locks the next one, skipping those that are locked. */
  claim(tx: Tx): Promise<Row | undefined>;
  /** Carries it out and takes it off the list. */
  carryOut(tx: Tx, row: Row): Promise<void>;
  /** It could not be carried out: lets it wait, so that it holds up no other. */
  postpone(db: Db, row: Row): Promise<void>;
}

/**
 * Processes every due row in its own transaction, all or nothing. Each row is processed once,
 * whatever crashes and however many workers run concurrently.
 *
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
      inHand = undefined; // of an earlier try of this transaction
      inHand = await steps.claim(tx);
      if (inHand === undefined) return 'none';
      await steps.carryOut(tx, inHand);
      return 'done';
    });
  } catch (error) {
    // Without a claimed row the database itself is in trouble: the next run tries again.
    if (inHand === undefined) throw error;
    await steps.postpone(db, inHand);
    return { error };
  }
}
