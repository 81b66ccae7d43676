import { statement, text } from '@tieline/platform/database';

/** Members of a channel or direct chat after an id, ordered by id. */
export const LIST_MEMBERS = statement(
  'conversation_members.list_members',
  {
    params: {
      spaceId: 'uuid',
      conversationId: 'uuid',
      after: 'uuid',
      limit: 'int4',
    },
    columns: {
      id: 'uuid',
      type: text<'user' | 'bot'>(),
      displayName: 'text',
    },
  },
  `
  SELECT
    m.member_id AS id,
    m.member_type AS type,
    coalesce(u.display_name, b.display_name, '') AS "displayName"
  FROM conversation_members m
  LEFT JOIN users u ON m.member_type = 'user' AND u.space_id = m.space_id AND u.id = m.member_id
  LEFT JOIN bots b ON m.member_type = 'bot' AND b.space_id = m.space_id AND b.id = m.member_id
  WHERE m.space_id = :spaceId
    AND m.conversation_id = :conversationId
    AND m.member_id > :after::uuid
  ORDER BY m.member_id
  LIMIT :limit::int
  `,
);
