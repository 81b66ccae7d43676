import { runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { FIND_UNLISTED, LIST_BUCKET, LOCK_INDEX } from './bucket-words.statements.js';

/** Returns the spaces that have buckets without a list of their words. */
export async function spacesToList(db: Db): Promise<string[]> {
  return (await db.query(FIND_UNLISTED)).map(({ spaceId }) => spaceId);
}

/**
 * Lists the words of a space's full buckets, one bucket per transaction. Indexing waits for it.
 * @param onBucket called after each bucket; returns false to stop
 * @returns whether all full buckets are listed
 */
export async function listBucketWords(
  db: Db,
  spaceId: string,
  onBucket: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const listed = await runInWorkerTx(db, async (tx) => {
      await tx.query(LOCK_INDEX);
      return tx.query(LIST_BUCKET, [spaceId]);
    });
    if (listed.length === 0) return true;
    if (!(await onBucket())) return false;
  }
}
