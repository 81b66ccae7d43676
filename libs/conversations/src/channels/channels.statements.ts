import { statement } from '@tieline/platform/database';

/** How many of these ids are channels or voice chats of the space, archived or not: no DMs, no threads. */
export const COUNT_CHANNELS = statement(
  'conversations.count_channels',
  `SELECT count(*) AS found, count(archived_at) AS archived FROM conversations
   WHERE space_id = $1 AND id = ANY($2::uuid[]) AND scope <> 'dm' AND root_message_id IS NULL`,
  { found: 'int8', archived: 'int8' },
);
