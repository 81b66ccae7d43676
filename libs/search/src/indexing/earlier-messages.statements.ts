import { nullable, statement } from '@tieline/platform/database';
import { BUCKET_SIZE } from './search-index.statements.js';

/** Adds the spaces that are not in the list yet. Those without messages are complete. */
export const ADD_SPACES = statement(
  'search_spaces.add_missing',
  `INSERT INTO search_spaces (space_id, completed_at)
   SELECT
     s.id,
     CASE WHEN NOT EXISTS (SELECT 1 FROM messages m WHERE m.space_id = s.id) THEN clock_timestamp() END
   FROM spaces s
   WHERE NOT EXISTS (SELECT 1 FROM search_spaces known WHERE known.space_id = s.id)
   ON CONFLICT DO NOTHING`,
  {},
);

/** Locks a space whose earlier messages are not all indexed. */
export const LOCK_INCOMPLETE = statement(
  'search_spaces.lock_incomplete',
  `SELECT space_id AS "spaceId", position
   FROM search_spaces
   WHERE completed_at IS NULL
   ORDER BY space_id
   LIMIT 1
   FOR UPDATE SKIP LOCKED`,
  { spaceId: 'uuid', position: nullable('uuid') },
);

/**
 * Creates the buckets of the messages that are older than the first bucket of a space. $1 space
 */
export const CREATE_EARLIER_BUCKETS = statement(
  'search_buckets.insert_earlier',
  `WITH numbered AS MATERIALIZED (
     SELECT m.sent_at, row_number() OVER (ORDER BY m.sent_at) - 1 AS n
     FROM messages m
     WHERE m.space_id = $1
       AND m.sent_at < coalesce((SELECT min(starts_at) FROM search_buckets WHERE space_id = $1), 'infinity')
   ), created AS (
     INSERT INTO search_buckets (space_id, starts_at)
     SELECT $1, CASE WHEN n = 0 THEN '-infinity' ELSE sent_at END
     FROM numbered
     WHERE n % ${BUCKET_SIZE} = 0
     ON CONFLICT DO NOTHING
   )
   UPDATE search_spaces
   SET
     position = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
     done = 0,
     total = (SELECT count(*) FROM messages WHERE space_id = $1)
   WHERE space_id = $1`,
  {},
);

/** Records progress. `position` is null when all messages of the space are indexed. */
export const RECORD_PROGRESS = statement(
  'search_spaces.record_progress',
  `UPDATE search_spaces
   SET
     position = coalesce($2::uuid, position),
     done = done + $3::int,
     completed_at = CASE WHEN $2::uuid IS NULL THEN clock_timestamp() END
   WHERE space_id = $1`,
  {},
);

/** Messages of spaces that are not complete, and those of them that are indexed. */
export const SUM_PROGRESS = statement(
  'search_spaces.sum_progress',
  `SELECT
     count(*) FILTER (WHERE completed_at IS NULL) AS spaces,
     coalesce(sum(done), 0)::bigint AS done,
     coalesce(sum(total), 0)::bigint AS total
   FROM search_spaces`,
  { spaces: 'int8', done: 'int8', total: 'int8' },
);
