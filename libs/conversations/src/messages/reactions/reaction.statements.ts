import { statement } from '@tieline/platform/database';

/**
 * Adds the reaction $3. If the message already has one of the spellings $6, uses that spelling.
 * Adds nothing if the reaction exists, or if the message has $5 other emoji.
 */
export const ADD_REACTION = statement(
  'conversations.add_reaction',
  `WITH there AS (
  SELECT count(DISTINCT emoji) < $5::int OR coalesce(bool_or(emoji = ANY ($6::text[])), false) AS room,
    coalesce(min(emoji) FILTER (WHERE emoji = ANY ($6)), $3::text) AS emoji
  FROM reactions WHERE space_id = $1::uuid AND message_id = $2::uuid
), added AS (
  INSERT INTO reactions (space_id, message_id, emoji, user_id) SELECT $1, $2, emoji, $4::uuid FROM there WHERE room ON CONFLICT DO NOTHING RETURNING emoji
)
SELECT room, emoji, EXISTS (SELECT FROM added) AS changed FROM there`,
  { room: 'bool', emoji: 'text', changed: 'bool' },
);

/** Removes a reaction in any of the spellings $3. Returns no row if there is none. */
export const REMOVE_REACTION = statement(
  'conversations.remove_reaction',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2 AND emoji = ANY ($3::text[]) AND user_id = $4 RETURNING emoji',
  { emoji: 'text' },
);

export const DROP_REACTIONS = statement(
  'conversations.drop_reactions',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2',
  {},
);
