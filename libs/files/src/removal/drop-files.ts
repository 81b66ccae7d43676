import type { Queryable, Tx } from '@tieline/platform/database';
import type { FileOwner } from '../files.queries.js';
import { DROP_FILES_OF_MESSAGE, DROP_OWN_FILE, DROP_UNATTACHED } from './removal.statements.js';

const BATCH = 500;

/**
 * Deletes a message's files; a job removes their bytes. The caller holds the conversation's row
 * lock.
 */
export async function dropFilesOfMessage(tx: Tx, spaceId: string, messageId: string): Promise<void> {
  await tx.query(DROP_FILES_OF_MESSAGE, [spaceId, messageId]);
}

/**
 * Deletes a file of a bot; a job removes its bytes. The caller holds the row lock of the
 * conversation of the message and edits the message.
 * @returns false if the bot has no such file, or it is not attached to that message
 */
export async function dropOwnFile(
  tx: Tx,
  { spaceId, botId }: FileOwner,
  { id, messageId }: { id: string; messageId: string | null },
): Promise<boolean> {
  return (await tx.query(DROP_OWN_FILE, { spaceId, id, botId, messageId })).length > 0;
}

/**
 * Deletes files that were not attached within 24 hours, ready or not. Skips files that are just
 * being attached.
 * @returns the number of deleted files, at most one batch
 */
export async function dropUnattached(q: Queryable): Promise<number> {
  return (await q.query(DROP_UNATTACHED, [BATCH])).length;
}
