import { statement } from '@tieline/platform/database';

/** Returns those of the bots that want to know of openings. $1 space, $2 bots */
export const FIND_INTERESTED = statement(
  'dm_openings.find_interested',
  `SELECT id
   FROM bots
   WHERE space_id = $1 AND id = ANY ($2::uuid[])
     AND is_active AND deleted_at IS NULL
     AND event_delivery_mode <> 'none' AND 'DM_OPENED' = ANY (event_types)`,
  { id: 'uuid' },
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
