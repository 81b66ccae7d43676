import { statement } from '@tieline/platform/database';
import { CONVERSATION, CONVERSATION_COLUMNS, CONVERSATION_TABLES } from '../conversation.statements.js';

/** $1 space, $2 person, $3 with public ones, $4 after this id, $5 how many. */
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
