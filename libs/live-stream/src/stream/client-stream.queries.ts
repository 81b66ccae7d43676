import type { Queryable } from '@tieline/platform/database';
import { PEOPLE_HERE } from '../live.statements.js';

/**
 * Returns which of these people `@here` reaches: those with an open client stream, in any process,
 * that is not viewing this conversation.
 */
export async function peopleHere(
  q: Queryable,
  spaceId: string,
  userIds: readonly string[],
  conversationId: string,
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await q.query(PEOPLE_HERE, [spaceId, userIds, conversationId]);
  return rows.map((row) => row.userId);
}
