import { statement } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';

const HERE = statement(
  'conversations.people_here',
  `SELECT DISTINCT p.user_id
     FROM client_presence p
     JOIN client_presence_processes x ON x.process_id = p.process_id AND x.seen_at > now() - interval '35 seconds'
     LEFT JOIN client_focus f ON f.space_id = p.space_id AND f.user_id = p.user_id AND f.set_at > p.opened_at - interval '1 minute'
    WHERE p.space_id = $1 AND p.user_id = ANY($2::uuid[]) AND f.conversation_id IS DISTINCT FROM $3`,
);

/**
 * Who of these people `@here` reaches: those with an open client stream, in any process, that does not look at this
 * conversation (contract, "Push policy"; decisions, section 8).
 */
export async function peopleHere(
  q: Queryable,
  spaceId: string,
  userIds: readonly string[],
  conversationId: string,
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await q.query<{ user_id: string }>(HERE, [spaceId, userIds, conversationId]);
  return rows.map((row) => row.user_id);
}
