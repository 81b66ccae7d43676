import { nullable, statement } from '@tieline/platform/database';

/** Returns a bot that may answer. $1 space, $2 bot */
export const FIND_ANSWERING_BOT = statement(
  'slack_responses.find_bot',
  `SELECT b.channel_ids AS "channelIds", b.scopes FROM bots b JOIN spaces s ON s.id = b.space_id
    WHERE b.space_id = $1 AND b.id = $2 AND b.is_active AND b.deleted_at IS NULL AND s.is_active`,
  { channelIds: 'uuid[]', scopes: nullable('text[]') },
);
