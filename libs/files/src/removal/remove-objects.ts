import type { Db, RowOf } from '@tieline/platform/database';
import type { FileStorage } from '@tieline/storage';
import { storageKey } from '../files.queries.js';
import { CLAIM_REMOVALS, REMOVALS_DONE, REMOVE_AGAIN } from './removal.statements.js';

const BATCH = 200;
const CONCURRENCY = 10;

type Removal = RowOf<typeof CLAIM_REMOVALS>;

/** The outcome of one batch. */
export interface RemovalResult {
  removed: number;
  /** Retried in 10 seconds to an hour. */
  postponed: number;
}

/**
 * Removes a batch of objects that are due. After a failure, storage is not called again in this
 * batch.
 */
export async function removeObjects(db: Db, storage: FileStorage): Promise<RemovalResult> {
  const due = await db.query(CLAIM_REMOVALS, [BATCH]);
  const removed: Removal[] = [];
  while (removed.length < due.length) {
    const some = due.slice(removed.length, removed.length + CONCURRENCY);
    const results = await Promise.allSettled(some.map((removal) => storage.remove(storageKey(removal))));
    // Removing twice is not an error, so a group with a failure is repeated as a whole.
    if (results.some(({ status }) => status === 'rejected')) break;
    removed.push(...some);
  }
  const postponed = due.slice(removed.length);
  if (removed.length > 0) await db.query(REMOVALS_DONE, idsOf(removed));
  if (postponed.length > 0) await db.query(REMOVE_AGAIN, idsOf(postponed));
  return { removed: removed.length, postponed: postponed.length };
}

function idsOf(removals: readonly Removal[]): [string[], string[]] {
  return [removals.map(({ spaceId }) => spaceId), removals.map(({ id }) => id)];
}
