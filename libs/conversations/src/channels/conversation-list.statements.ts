import { statement } from '@tieline/platform/database';
import { CONVERSATION, CONVERSATION_COLUMNS, CONVERSATION_TABLES } from '../conversation.statements.js';

/**
 * Conversations for a bot, without threads and archived ones. $1 space, $2 bot, $3 include its own,
 * $4 include public ones it is not a member of, $5 ids after this one, $6 limit, $7 only these
 * channels (empty: all).
 */
export const LIST_CONVERSATIONS_OF_BOT = statement(
  'conversations.list_of_bot',
  `WITH listed AS (
     (SELECT c.id, true AS is_member FROM conversation_members m JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
       WHERE $3::boolean AND m.space_id = $1 AND m.member_id = $2 AND m.conversation_id > $5 AND c.archived_at IS NULL
         AND (c.scope = 'dm' OR cardinality($7::uuid[]) = 0 OR c.id = ANY ($7)) ORDER BY m.conversation_id LIMIT $6)
     UNION ALL
     (SELECT id, false FROM conversations WHERE $4::boolean AND space_id = $1 AND scope = 'public' AND root_message_id IS NULL AND id > $5
         AND archived_at IS NULL AND $2 <> ALL (bot_ids) AND (cardinality($7) = 0 OR id = ANY ($7)) ORDER BY id LIMIT $6)
     ORDER BY id LIMIT $6
   )
   SELECT ${CONVERSATION_COLUMNS}, listed.is_member AS "isMember" FROM listed JOIN ${CONVERSATION_TABLES} ON c.space_id = $1 AND c.id = listed.id
    ORDER BY c.id`,
  { ...CONVERSATION, isMember: 'bool' },
);

/** $1 space, $2 person, $3 include public ones, $4 ids after this one, $5 limit. */
export const LIST_CONVERSATIONS = statement(
  'conversations.list',
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
  { ...CONVERSATION, isMember: 'bool', muted: 'bool' },
);
