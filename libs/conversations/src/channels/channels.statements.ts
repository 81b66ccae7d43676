import { statement } from '@tieline/platform/database';

/**
 * How many of these ids are channels or voice chats of the space, archived or not: no DMs, no
 * threads.
 */
export const COUNT_CHANNELS = statement(
  'conversations.count_channels',
  `SELECT count(*) AS found, count(archived_at) AS archived FROM conversations
   WHERE space_id = $1 AND id = ANY($2::uuid[]) AND scope <> 'dm' AND root_message_id IS NULL`,
  { found: 'int8', archived: 'int8' },
);

/** How many channels and voice chats of a space are not archived. $1 space */
export const COUNT_OPEN_CHANNELS = statement(
  'conversations.count_open_channels',
  `SELECT count(*) AS count FROM conversations
   WHERE space_id = $1 AND scope <> 'dm' AND root_message_id IS NULL AND archived_at IS NULL`,
  { count: 'int8' },
);
