import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './db.js';
import { CommitUnknown, isUndecided, runInTx } from './run-in-tx.js';
import type { WritePlace } from './gate/write-gate.js';
import type { Tx } from './run-in-tx.js';

/**
 * Pauses before retries after a lost COMMIT: the server may return soon, or may still be
 * committing.
 */
const PAUSES_MS = [0, 100, 400, 1500];
const UNIQUE_VIOLATION = '23505';
/** Messages of the driver for a lost or unavailable connection, which have no code. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered|timeout exceeded|Query read timeout)/;

/**
 * Like {@link runInTx}, for work that can detect from the stored data that it was already done.
 * When the answer to COMMIT is lost, it runs again and either finds its writes or writes them. The
 * ids of what it writes are fixed outside.
 *
 * @param work `isRepeat`: an earlier run may have been committed
 * @param place see {@link runInTx}
 * @throws CommitUnknown if the outcome was still unknown after two seconds; the caller should retry
 */
export async function runRepeatable<T>(
  db: Db,
  work: (tx: Tx, isRepeat: boolean) => Promise<T>,
  place: WritePlace,
): Promise<T> {
  try {
    return await runInTx(db, (tx) => work(tx, false), place);
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    return repeat(db, work, error, place);
  }
}

async function repeat<T>(
  db: Db,
  work: (tx: Tx, isRepeat: boolean) => Promise<T>,
  unknown: CommitUnknown,
  place: WritePlace,
): Promise<T> {
  for (const pause of PAUSES_MS) {
    await sleep(pause);
    try {
      return await runInTx(db, (tx) => work(tx, true), place);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }
  throw unknown;
}

/** Includes conflicts with what the first run has written: the next run sees it. */
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code === 'string') return code === UNIQUE_VIOLATION || isUndecided(error);
  return LOST_CONNECTION.test(message ?? '');
}
