import { statement } from '@tieline/platform/database';

/** Returns a row for an active person. $1 space, $2 person */
export const FIND_PERSON = statement(
  'slack_views.find_person',
  'SELECT 1 AS n FROM users WHERE space_id = $1 AND id = $2 AND is_active',
  { n: 'int4' },
);

/** Returns a row for a bot that is not deleted. $1 space, $2 bot */
export const FIND_BOT = statement(
  'slack_views.find_bot',
  'SELECT 1 AS n FROM bots WHERE space_id = $1 AND id = $2 AND deleted_at IS NULL',
  { n: 'int4' },
);

/** Returns the direct chat of a bot and a person. $1 space, $2 bot, $3 person */
export const FIND_DIRECT_CHAT = statement(
  'slack_views.find_direct_chat',
  `SELECT c.id
     FROM conversation_members b
     JOIN conversations c ON c.space_id = b.space_id AND c.id = b.conversation_id AND c.scope = 'dm'
     JOIN conversation_members p
       ON p.space_id = c.space_id AND p.conversation_id = c.id AND p.member_id = $3 AND p.member_type = 'user'
    WHERE b.space_id = $1 AND b.member_id = $2 AND b.member_type = 'bot'
    LIMIT 1`,
  { id: 'uuid' },
);
