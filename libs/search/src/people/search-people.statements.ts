import { statement, text } from '@tieline/platform/database';
import { nameMatches } from '@tieline/spaces';

/**
 * Finds active people and bots by name; for a guest, only those who share a conversation. Names
 * that begin with what was typed come first. Reads the names of all people of the space, so its
 * cost grows with their number.
 */
export const SEARCH_PEOPLE = statement(
  'search_people.find',
  {
    params: {
      spaceId: 'uuid',
      readerId: 'uuid',
      isGuest: 'bool',
      names: 'text[]',
      name: 'text',
      limit: 'int4',
    },
    columns: { id: 'uuid', type: text<'user' | 'bot'>(), displayName: 'text' },
  },
  `
  SELECT
    someone.id,
    someone.type,
    someone.display_name AS "displayName"
  FROM (
    SELECT id, 'user' AS type, display_name FROM users WHERE space_id = :spaceId AND is_active
    UNION ALL
    SELECT id, 'bot', display_name FROM bots WHERE space_id = :spaceId AND is_active AND deleted_at IS NULL
  ) someone
  WHERE ${nameMatches('someone.display_name', ':names')}
    AND (
      NOT :isGuest::boolean
      OR someone.id = :readerId
      OR someone.id IN (
        SELECT near.member_id
        FROM conversation_members own
        JOIN conversation_members near
          ON near.space_id = own.space_id AND near.conversation_id = own.conversation_id
        WHERE own.space_id = :spaceId AND own.member_id = :readerId
      )
    )
  ORDER BY
    NOT starts_with(folded(someone.display_name), folded(:name::text)),
    folded(someone.display_name),
    someone.id
  LIMIT :limit::int
  `,
);
