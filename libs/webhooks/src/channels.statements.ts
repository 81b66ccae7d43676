import { statement } from '@tieline/platform/database';

/** Which of these conversations are channels or voice chats of the space, archived or not: no DMs, no threads. */
export const CHANNELS_AMONG = statement(
  'webhooks.channels_among',
  `SELECT id FROM conversations WHERE space_id = $1 AND id = ANY($2::uuid[]) AND scope <> 'dm' AND root_message_id IS NULL`,
  { id: 'uuid' },
);
