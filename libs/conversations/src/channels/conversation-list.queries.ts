import type { Queryable } from '@tieline/platform/database';
import { pageOf } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { CONVERSATION_COLUMNS, CONVERSATION_TABLES } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Membership } from '../conversation.view.js';

/** A conversation in somebody's list. */
export type ListedConversation = Conversation & Membership;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * What a person finds in their client: the conversations that they are a member of and, unless they are a guest, the
 * public channels and voice chats; archived ones included, threads not. In the order of making; the cursor is the last id.
 */
export async function listConversations(
  q: Queryable,
  { spaceId, userId, role }: UserPrincipal,
  page: { limit: number; cursor: string },
): Promise<{ rows: ListedConversation[]; nextCursor: string }> {
  const rows = await q.query<ListedConversation>(
    `WITH listed AS (
       (SELECT conversation_id AS id FROM conversation_members WHERE space_id = $1 AND member_id = $2 AND conversation_id > $4 ORDER BY conversation_id LIMIT $5)
       UNION
       (SELECT id FROM conversations WHERE space_id = $1 AND scope = 'public' AND root_message_id IS NULL AND $3::boolean AND id > $4 ORDER BY id LIMIT $5)
       ORDER BY id LIMIT $5
     )
     SELECT ${CONVERSATION_COLUMNS}, own.member_id IS NOT NULL AS "isMember", coalesce(own.muted, false) AS muted
       FROM listed JOIN ${CONVERSATION_TABLES} ON c.space_id = $1 AND c.id = listed.id
       LEFT JOIN conversation_members own ON own.space_id = c.space_id AND own.conversation_id = c.id AND own.member_id = $2
      ORDER BY c.id`,
    [spaceId, userId, role !== 'guest', page.cursor === '' ? FIRST : page.cursor, page.limit + 1],
  );
  return pageOf(rows, page.limit, ({ id }) => id);
}
