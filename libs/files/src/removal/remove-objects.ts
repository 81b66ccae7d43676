import type { Db } from '@tieline/platform/database';
import type { FileStorage } from '@tieline/storage';
import { storageKey } from '../files.queries.js';

const BATCH = 200;
const AT_A_TIME = 10;

interface Removal {
  spaceId: string;
  id: string;
}

/** Rows of a worker that died come back after the lease. */
const CLAIM = `WITH due AS MATERIALIZED (
    SELECT space_id, file_id FROM file_removals WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  )
  UPDATE file_removals r SET attempts = r.attempts + 1, due_at = clock_timestamp() + interval '5 minutes' FROM due
   WHERE r.space_id = due.space_id AND r.file_id = due.file_id RETURNING r.space_id AS "spaceId", r.file_id AS id`;

const THESE = `(space_id, file_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`;
const DONE = `WITH done AS (DELETE FROM file_removals WHERE ${THESE} AND final_after <= clock_timestamp())
  UPDATE file_removals SET attempts = 0, due_at = final_after WHERE ${THESE} AND final_after > clock_timestamp()`;
const AGAIN = `UPDATE file_removals SET due_at = clock_timestamp() + least(interval '10 seconds' * 2 ^ least(attempts - 1, 10), interval '1 hour') WHERE ${THESE}`;

/** What came of one batch. */
export interface RemovalResult {
  removed: number;
  /** Tried again later, 10 seconds to an hour from now. */
  postponed: number;
}

/** Removes a batch of objects that are due; a store that fails is left in peace for the rest of it. */
export async function removeObjects(db: Db, storage: FileStorage): Promise<RemovalResult> {
  const due = await db.query<Removal>(CLAIM);
  const removed: Removal[] = [];
  while (removed.length < due.length) {
    const some = due.slice(removed.length, removed.length + AT_A_TIME);
    const results = await Promise.allSettled(some.map((removal) => storage.remove(storageKey(removal))));
    // Removing twice is no error: a group with a failure is done again as a whole.
    if (results.some(({ status }) => status === 'rejected')) break;
    removed.push(...some);
  }
  const postponed = due.slice(removed.length);
  if (removed.length > 0) await db.query(DONE, idsOf(removed));
  if (postponed.length > 0) await db.query(AGAIN, idsOf(postponed));
  return { removed: removed.length, postponed: postponed.length };
}

function idsOf(removals: readonly Removal[]): [string[], string[]] {
  return [removals.map(({ spaceId }) => spaceId), removals.map(({ id }) => id)];
}
