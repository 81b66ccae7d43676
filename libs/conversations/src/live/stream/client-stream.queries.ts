import type { Queryable } from '@tieline/platform/database';
import { PEOPLE_HERE } from '../live.statements.js';

/**
 * Who of these people `@here` reaches: those with an open client stream, in any process, that does
 * not look at this conversation (contract, "Push policy"; decisions, section 8).
 */
export async function peopleHere(
  q: Queryable,
  spaceId: string,
  userIds: readonly string[],
  conversationId: string,
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await q.query(PEOPLE_HERE, [spaceId, userIds, conversationId]);
  return rows.map((row) => row.user_id);
}
