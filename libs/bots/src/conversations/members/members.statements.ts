import { statement, text } from '@tieline/platform/database';

/**
 * Members of a channel or direct chat, ordered by id. $1 space, $2 conversation, $3 after this id,
 * $4 limit
 */
export const LIST_MEMBERS = statement(
  'bots.list_members',
  `SELECT m.member_id AS id, m.member_type AS type, coalesce(u.display_name, b.display_name, '') AS "displayName"
     FROM conversation_members m
     LEFT JOIN users u ON m.member_type = 'user' AND u.space_id = m.space_id AND u.id = m.member_id
     LEFT JOIN bots b ON m.member_type = 'bot' AND b.space_id = m.space_id AND b.id = m.member_id
    WHERE m.space_id = $1 AND m.conversation_id = $2 AND m.member_id > $3::uuid ORDER BY m.member_id LIMIT $4::int`,
  { id: 'uuid', type: text<'user' | 'bot'>(), displayName: 'text' },
);
