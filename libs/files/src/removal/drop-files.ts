import type { Queryable, Tx } from '@tieline/platform/database';
import { DROP_FILES_OF_MESSAGE, DROP_UNATTACHED } from './removal.statements.js';

const BATCH = 500;

/**
 * Deletes a message's files; a job removes their bytes. The caller holds the conversation's row
 * lock.
 */
export async function dropFilesOfMessage(tx: Tx, spaceId: string, messageId: string): Promise<void> {
  await tx.query(DROP_FILES_OF_MESSAGE, [spaceId, messageId]);
}

/**
 * Deletes files that were not attached within 24 hours, ready or not. Skips files that are just
 * being attached.
 * @returns the number of deleted files, at most one batch
 */
export async function dropUnattached(q: Queryable): Promise<number> {
  return (await q.query(DROP_UNATTACHED, [BATCH])).length;
}
