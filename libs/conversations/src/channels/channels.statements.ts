import { rfc3339, statement } from '@tieline/platform/database';
import type { PlanLimit, SpaceLimitSettings } from '@tieline/spaces';

/**
 * Counts the ids in $2 that are channels or voice chats of space $1, archived or not. Direct chats
 * and threads do not count.
 */
export const COUNT_CHANNELS = statement(
  'conversations.count_channels',
  `SELECT count(*) AS found, count(archived_at) AS archived FROM conversations
   WHERE space_id = $1 AND id = ANY($2::uuid[]) AND scope <> 'dm' AND root_message_id IS NULL`,
  { found: 'int8', archived: 'int8' },
);

/** Counts the channels and voice chats of space $1 that are not archived. */
export const COUNT_OPEN_CHANNELS = statement(
  'conversations.count_open_channels',
  `SELECT count(*) AS count FROM conversations
   WHERE space_id = $1 AND scope <> 'dm' AND root_message_id IS NULL AND archived_at IS NULL`,
  { count: 'int8' },
);

/** Returns the limit of unarchived channels per space, for `requireCapacity`. */
export const channelCapacity = ({ limits }: SpaceLimitSettings): PlanLimit => ({
  name: 'channels',
  limits: limits.channels,
  count: COUNT_OPEN_CHANNELS,
});

/** Reads the time of an event. */
export const READ_CLOCK = statement(
  'conversations.read_clock',
  `SELECT ${rfc3339('clock_timestamp()')} AS now`,
  { now: 'text' },
);
