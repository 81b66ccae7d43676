import { statement } from '@tieline/platform/database';
import { nameMatches } from '@tieline/spaces';
import { CONVERSATION_COLUMNS, CONVERSATION_ROW, CONVERSATION_TABLES } from '../conversation.statements.js';

/** Lists conversations for a bot, without threads and archived ones. */
export const LIST_CONVERSATIONS_OF_BOT = statement(
  'conversations.list_for_bot',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      withOwn: 'bool',
      /** Includes public ones that it is not a member of. */
      withPublic: 'bool',
      afterId: 'uuid',
      limit: 'int8',
      /** Only these channels; empty: all. */
      channelIds: 'uuid[]',
      /** Patterns that the name matches; empty: all. */
      names: 'text[]',
    },
    columns: { ...CONVERSATION_ROW, isMember: 'bool' },
  },
  `
  WITH listed AS (
    (
      SELECT c.id, true AS is_member
      FROM conversation_members m
      JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
      WHERE :withOwn::boolean AND m.space_id = :spaceId AND m.member_id = :botId
        AND m.conversation_id > :afterId AND c.archived_at IS NULL
        AND (c.scope = 'dm' OR cardinality(:channelIds::uuid[]) = 0 OR c.id = ANY (:channelIds))
        AND (cardinality(:names::text[]) = 0 OR ${nameMatches('c.name', ':names')})
      ORDER BY m.conversation_id
      LIMIT :limit
    )
    UNION ALL
    (
      SELECT id, false
      FROM conversations
      WHERE :withPublic::boolean AND space_id = :spaceId AND scope = 'public' AND root_message_id IS NULL
        AND id > :afterId AND archived_at IS NULL AND :botId <> ALL (bot_ids)
        AND (cardinality(:channelIds) = 0 OR id = ANY (:channelIds))
        AND (cardinality(:names) = 0 OR ${nameMatches('name', ':names')})
      ORDER BY id
      LIMIT :limit
    )
    ORDER BY id
    LIMIT :limit
  )
  SELECT
    ${CONVERSATION_COLUMNS},
    listed.is_member AS "isMember"
  FROM listed
  JOIN ${CONVERSATION_TABLES} ON c.space_id = :spaceId AND c.id = listed.id
  ORDER BY c.id
  `,
);

/** Lists the conversations of a person, without threads. */
export const LIST_CONVERSATIONS = statement(
  'conversations.list_for_person',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      withPublic: 'bool',
      afterId: 'uuid',
      limit: 'int8',
    },
    columns: { ...CONVERSATION_ROW, isMember: 'bool', muted: 'bool' },
  },
  `
  WITH listed AS (
    (
      SELECT conversation_id AS id
      FROM conversation_members
      WHERE space_id = :spaceId AND member_id = :userId AND conversation_id > :afterId
      ORDER BY conversation_id
      LIMIT :limit
    )
    UNION
    (
      SELECT id
      FROM conversations
      WHERE space_id = :spaceId AND scope = 'public' AND root_message_id IS NULL
        AND :withPublic::boolean AND id > :afterId
      ORDER BY id
      LIMIT :limit
    )
    ORDER BY id
    LIMIT :limit
  )
  SELECT
    ${CONVERSATION_COLUMNS},
    own.member_id IS NOT NULL AS "isMember",
    coalesce(own.muted, false) AS muted
  FROM listed
  JOIN ${CONVERSATION_TABLES} ON c.space_id = :spaceId AND c.id = listed.id
  LEFT JOIN conversation_members own
    ON own.space_id = c.space_id AND own.conversation_id = c.id AND own.member_id = :userId
  ORDER BY c.id
  `,
);

/**
 * Finds conversations of a person by name, without threads and direct chats, which have no name.
 * Reads the names of all of them, so its cost grows with their number.
 */
export const FIND_CONVERSATIONS_BY_NAME = statement(
  'conversations.find_by_name',
  {
    params: {
      spaceId: 'uuid',
      userId: 'uuid',
      withPublic: 'bool',
      names: 'text[]',
      /** What was typed: names that begin with it come first. */
      name: 'text',
      limit: 'int4',
    },
    columns: { ...CONVERSATION_ROW, isMember: 'bool', muted: 'bool' },
  },
  `
  WITH found AS MATERIALIZED (
    SELECT near.id, near.archived_at, folded(near.name) AS name
    FROM (
      SELECT id, name, archived_at
      FROM conversations
      WHERE space_id = :spaceId AND scope = 'public' AND root_message_id IS NULL AND :withPublic::boolean
      UNION
      SELECT c.id, c.name, c.archived_at
      FROM conversation_members m
      JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
      WHERE m.space_id = :spaceId AND m.member_id = :userId AND c.scope <> 'dm'
    ) near
    WHERE ${nameMatches('near.name', ':names')}
    ORDER BY
      near.archived_at IS NOT NULL,
      NOT starts_with(folded(near.name), folded(:name::text)),
      3,
      near.id
    LIMIT :limit::int
  )
  SELECT
    ${CONVERSATION_COLUMNS},
    own.member_id IS NOT NULL AS "isMember",
    coalesce(own.muted, false) AS muted
  FROM found
  JOIN ${CONVERSATION_TABLES} ON c.space_id = :spaceId AND c.id = found.id
  LEFT JOIN conversation_members own
    ON own.space_id = c.space_id AND own.conversation_id = c.id AND own.member_id = :userId
  ORDER BY c.archived_at IS NOT NULL, NOT starts_with(found.name, folded(:name)), found.name, c.id
  `,
);
