import { statement } from '@tieline/platform/database';

/** Nothing is added when it is there already, or when the message has $5 other emojis and not this one. */
export const ADD_REACTION = statement(
  'conversations.add_reaction',
  `WITH there AS (
  SELECT count(DISTINCT emoji) < $5::int OR coalesce(bool_or(emoji = $3::text), false) AS room FROM reactions WHERE space_id = $1::uuid AND message_id = $2::uuid
), added AS (
  INSERT INTO reactions (space_id, message_id, emoji, user_id) SELECT $1, $2, $3, $4::uuid FROM there WHERE room ON CONFLICT DO NOTHING RETURNING emoji
)
SELECT room, EXISTS (SELECT FROM added) AS changed FROM there`,
  { room: 'bool', changed: 'bool' },
);

/** No row when it is not there. */
export const REMOVE_REACTION = statement(
  'conversations.remove_reaction',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2 AND emoji = $3 AND user_id = $4 RETURNING true AS changed',
  { changed: 'bool' },
);

export const DROP_REACTIONS = statement(
  'conversations.drop_reactions',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2',
  {},
);
