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
 * Drops files that nobody attached within 24 hours, ready or not; one that is being attached right
 * now stays.
 * @returns how many, up to a batch
 */
export async function dropUnattached(q: Queryable): Promise<number> {
  return (await q.query(DROP_UNATTACHED, [BATCH])).length;
}
