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
