import { statement } from '@tieline/platform/database';

/** No row when it is there already. */
export const ADD_REACTION = statement(
  'conversations.add_reaction',
  'INSERT INTO reactions (space_id, message_id, emoji, user_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING emoji',
  { emoji: 'text' },
);

/** No row when it is not there. */
export const REMOVE_REACTION = statement(
  'conversations.remove_reaction',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2 AND emoji = $3 AND user_id = $4 RETURNING emoji',
  { emoji: 'text' },
);

export const DROP_REACTIONS = statement(
  'conversations.drop_reactions',
  'DELETE FROM reactions WHERE space_id = $1 AND message_id = $2',
  {},
);
