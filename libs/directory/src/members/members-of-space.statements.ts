import { statement, text } from '@tieline/platform/database';

const MEMBER = {
  id: 'uuid',
  type: text<'user' | 'bot'>(),
  displayName: 'text',
  isActive: 'bool',
} as const;

/**
 * People and bots of a space, ordered by id. Unprepared, because a plan that fits any space may
 * read the bots of all. $1 space, $2 after this id, $3 limit
 */
export const LIST_MEMBERS_OF_SPACE = statement(
  'spaces.list_members',
  `(
     SELECT id, 'user' AS type, display_name AS "displayName", is_active AS "isActive"
     FROM users
     WHERE space_id = $1 AND id > $2
     ORDER BY id
     LIMIT $3::int
   )
   UNION ALL
   (
     SELECT id, 'bot', display_name, is_active AND deleted_at IS NULL
     FROM bots
     WHERE space_id = $1 AND id > $2
     ORDER BY id
     LIMIT $3
   )
   ORDER BY id
   LIMIT $3`,
  MEMBER,
);

/**
 * People and bots who share a conversation with a person, and the person. Reads no more members of
 * a conversation than the page can show, so a page costs at most its size times the number of the
 * person's conversations. Ordered by id, after an id.
 */
export const LIST_MEMBERS_AROUND = statement(
  'spaces.list_members_around',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      after: 'uuid',
      limit: 'int4',
    },
    columns: MEMBER,
  },
  `
  WITH around AS MATERIALIZED (
    SELECT id
    FROM (
      SELECT near.member_id AS id
      FROM conversation_members own
      CROSS JOIN LATERAL (
        SELECT member_id
        FROM conversation_members m
        WHERE m.space_id = own.space_id
          AND m.conversation_id = own.conversation_id
          AND m.member_id > :after::uuid
        ORDER BY m.member_id
        LIMIT :limit::int
      ) near
      WHERE own.space_id = :spaceId AND own.member_id = :userId
      UNION
      SELECT :userId::uuid
      WHERE :userId::uuid > :after
    ) seen
    ORDER BY id
    LIMIT :limit
  )
  SELECT
    a.id,
    CASE WHEN u.id IS NULL THEN 'bot' ELSE 'user' END AS type,
    coalesce(u.display_name, b.display_name, '') AS "displayName",
    coalesce(u.is_active, b.is_active AND b.deleted_at IS NULL, false) AS "isActive"
  FROM around a
  LEFT JOIN users u ON u.space_id = :spaceId AND u.id = a.id
  LEFT JOIN bots b ON b.space_id = :spaceId AND b.id = a.id
  ORDER BY a.id
  `,
);
