import type { Db, Queryable } from '@tieline/platform/database';
import { StoredFile } from '../file.entity.js';
import type { FileOwner } from '../files.queries.js';
import { FIND_GRANT, FIND_READY_OF_PERSON, GRANT_FILES } from './file-grants.statements.js';

/** Returns those of the given files that are ready and were uploaded by that person. */
export async function findReadyFilesOf(
  q: Queryable,
  { spaceId, userId }: { spaceId: string; userId: string },
  fileIds: readonly string[],
): Promise<string[]> {
  const rows = await q.query(FIND_READY_OF_PERSON, [spaceId, userId, [...fileIds]]);
  return rows.map(({ id }) => id);
}

/**
 * Lets the bot download these files, because a person submits them in a form in that conversation.
 */
export async function grantFiles(
  q: Queryable,
  { spaceId, botId, conversationId }: FileOwner & { conversationId: string },
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length > 0) await q.query(GRANT_FILES, { spaceId, fileIds, botId, conversationId });
}

/** Returns a person's file that was granted to the bot, by its conversation or that of the form. */
export async function findGrantedFile(
  db: Db,
  { spaceId, botId }: FileOwner,
  id: string,
  conversationId: string,
): Promise<StoredFile | undefined> {
  const [grant] = await db.query(FIND_GRANT, { spaceId, fileId: id, botId, conversationId });
  return grant && ((await db.manager.findOneBy(StoredFile, { spaceId, id })) ?? undefined);
}
