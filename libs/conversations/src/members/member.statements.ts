import { rfc3339, statement, text } from '@tieline/platform/database';
import type { MemberType } from '../actors.js';

/**
 * Inserts members, adds the bots among them to the conversation's row, and returns those who were
 * not members before.
 */
export const INSERT_MEMBERS = statement(
  'conversation_members.insert_new',
  {
    params: {
      spaceId: 'uuid',
      conversationId: 'uuid',
      memberIds: 'uuid[]',
      memberTypes: 'text[]',
    },
    columns: { id: 'uuid', type: text<MemberType>(), at: 'text' },
  },
  `
  WITH joined AS (
    INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT :spaceId, :conversationId, m.id, m.type
    FROM unnest(:memberIds::uuid[], :memberTypes::text[]) AS m(id, type)
    ON CONFLICT DO NOTHING
    RETURNING
      member_id AS id,
      member_type AS type,
      ${rfc3339('joined_at')} AS at
  ), bots AS (
    UPDATE conversations
    SET bot_ids = bot_ids || ARRAY(SELECT id FROM joined WHERE type = 'bot')
    WHERE space_id = :spaceId AND id = :conversationId
      AND EXISTS (SELECT 1 FROM joined WHERE type = 'bot')
  )
  SELECT id, type, at FROM joined
  `,
);

/**
 * Removes a member, and a bot from the list in the conversation's row. Returns no row for
 * non-members.
 */
export const REMOVE_MEMBER = statement(
  'conversations.remove_member',
  `WITH gone AS (
     DELETE FROM conversation_members WHERE space_id = $1 AND conversation_id = $2 AND member_id = $3
     RETURNING member_id AS id, member_type AS type
   ), bots AS (
     UPDATE conversations SET bot_ids = array_remove(bot_ids, $3::uuid)
      WHERE space_id = $1 AND id = $2 AND EXISTS (SELECT 1 FROM gone WHERE type = 'bot')
   )
   SELECT id, type, ${rfc3339('clock_timestamp()')} AS at FROM gone`,
  { id: 'uuid', type: text<MemberType>(), at: 'text' },
);
