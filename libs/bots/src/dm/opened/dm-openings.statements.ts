import { statement, text } from '@tieline/platform/database';
import type { EventFormat } from '../../accounts/bot.js';

/** Returns those of the bots that select one of the types. $1 space, $2 bots, $3 types */
export const FIND_INTERESTED = statement(
  'dm_openings.find_interested',
  `SELECT id, event_types AS "eventTypes", event_format AS "eventFormat"
   FROM bots
   WHERE space_id = $1 AND id = ANY ($2::uuid[])
     AND is_active AND deleted_at IS NULL
     AND event_delivery_mode <> 'none' AND event_types && $3::text[]`,
  { id: 'uuid', eventTypes: 'text[]', eventFormat: text<EventFormat>() },
);

/**
 * Returns a row if the person's last thread with the bot is the newest message of its conversation
 * and no person has replied in it. $1 space, $2 bot, $3 person
 */
export const FIND_UNUSED_THREAD = statement(
  'dm_openings.find_unused_thread',
  `SELECT m.id
   FROM dm_openings o
   JOIN messages m ON m.space_id = o.space_id AND m.id = o.thread_id
   JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
   WHERE o.space_id = $1 AND o.bot_id = $2 AND o.user_id = $3
     AND m.deleted_at IS NULL AND m.msg_index = c.last_msg_index
     AND NOT EXISTS (
       SELECT 1
       FROM conversations t
       JOIN messages r ON r.space_id = t.space_id AND r.conversation_id = t.id
       WHERE t.space_id = m.space_id AND t.root_message_id = m.id AND r.author_type = 'user'
     )`,
  { id: 'uuid' },
);

/** Records the thread that was started for a person. */
export const RECORD_THREAD = statement(
  'dm_openings.record_thread',
  { params: { spaceId: 'uuid', botId: 'uuid', userId: 'uuid', threadId: 'uuid' }, columns: {} },
  `
  UPDATE dm_openings
  SET thread_id = :threadId
  WHERE space_id = :spaceId AND bot_id = :botId AND user_id = :userId
  `,
);

/**
 * Records an opening. Returns no row if there was one of this person within the last minute.
 * $1 space, $2 bot, $3 person
 */
export const RECORD_OPENING = statement(
  'dm_openings.record_opening',
  `INSERT INTO dm_openings AS o (space_id, bot_id, user_id, opened_at)
   VALUES ($1, $2, $3, clock_timestamp())
   ON CONFLICT (space_id, bot_id, user_id) DO UPDATE
   SET opened_at = excluded.opened_at
   WHERE o.opened_at <= statement_timestamp() - interval '1 minute'
   RETURNING opened_at AS "openedAt"`,
  { openedAt: 'timestamptz' },
);

/**
 * Records an opening of the home. Returns no row if this person opened it within the last ten
 * seconds. $1 space, $2 bot, $3 person
 */
export const RECORD_HOME_OPENING = statement(
  'dm_openings.record_home_opening',
  `INSERT INTO dm_openings AS o (space_id, bot_id, user_id, opened_at, home_opened_at)
   VALUES ($1, $2, $3, '-infinity', clock_timestamp())
   ON CONFLICT (space_id, bot_id, user_id) DO UPDATE
   SET home_opened_at = excluded.home_opened_at
   WHERE coalesce(o.home_opened_at <= statement_timestamp() - interval '10 seconds', true)
   RETURNING home_opened_at AS "openedAt"`,
  { openedAt: 'timestamptz' },
);
