import { statement } from '@tieline/platform/database';

/**
 * Adds a reaction. If the message already has one of its spellings, uses that spelling. Adds
 * nothing if the reaction exists, or if the message has `maxEmojis` others.
 */
export const ADD_REACTION = statement(
  'reactions.add',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      emoji: 'text',
      userId: 'uuid',
      maxEmojis: 'int4',
      spellings: 'text[]',
    },
    columns: { room: 'bool', emoji: 'text', changed: 'bool' },
  },
  `
  WITH there AS (
    SELECT
      count(DISTINCT emoji) < :maxEmojis::int OR coalesce(bool_or(emoji = ANY (:spellings::text[])), false) AS room,
      coalesce(min(emoji) FILTER (WHERE emoji = ANY (:spellings)), :emoji::text) AS emoji
    FROM reactions
    WHERE space_id = :spaceId::uuid AND message_id = :messageId::uuid
  ), added AS (
    INSERT INTO reactions (space_id, message_id, emoji, user_id)
    SELECT :spaceId, :messageId, emoji, :userId::uuid
    FROM there
    WHERE room
    ON CONFLICT DO NOTHING
    RETURNING emoji
  )
  SELECT
    room,
    emoji,
    EXISTS (SELECT FROM added) AS changed
  FROM there
  `,
);

/** Removes a reaction in any of its spellings. Returns no row if there is none. */
export const REMOVE_REACTION = statement(
  'reactions.remove',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      spellings: 'text[]',
      userId: 'uuid',
    },
    columns: { emoji: 'text' },
  },
  `
  DELETE FROM reactions
  WHERE space_id = :spaceId AND message_id = :messageId
    AND emoji = ANY (:spellings::text[]) AND user_id = :userId
  RETURNING emoji
  `,
);

export const DROP_REACTIONS = statement(
  'conversations.drop_reactions',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2',
  {},
);
