import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './db.js';
import { CommitUnknown, isUndecided, runInTx } from './run-in-tx.js';
import type { WritePlace } from './gate/write-gate.js';
import type { Tx } from './run-in-tx.js';

/**
 * When it is tried again after the answer to COMMIT was lost: the server may be back soon, or still
 * be at it.
 */
const PAUSES_MS = [0, 100, 400, 1500];
const UNIQUE_VIOLATION = '23505';
/** The driver's own words for a lost or unobtainable connection, which come without a code. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered|timeout exceeded|Query read timeout)/;

/**
 * {@link runInTx} for work that sees from what is stored whether it was done: when the answer to
 * COMMIT is lost it runs again, finds what it wrote, or writes it then. The ids of what it writes
 * are fixed outside.
 *
 * @param work `isRepeat`: a run before this one may have been committed
 * @param place see {@link runInTx}
 * @throws CommitUnknown when it was not to be found out within two seconds; to be tried again by
 * whoever asked
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

/** Also what the first run has written in the meantime: the next one sees it. */
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code === 'string') return code === UNIQUE_VIOLATION || isUndecided(error);
  return LOST_CONNECTION.test(message ?? '');
}
