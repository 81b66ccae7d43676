import { statement } from '@tieline/platform/database';

/** Records a change of $1 and deletes a few records older than an hour. */
export const NOTE_ACCESS_CHANGE = statement(
  'access_changes.insert_change',
  `WITH old AS MATERIALIZED (
     SELECT id FROM access_changes WHERE changed_at < statement_timestamp() - interval '1 hour' ORDER BY changed_at LIMIT 100 FOR UPDATE SKIP LOCKED
   ), forgotten AS (
     DELETE FROM access_changes WHERE id = ANY (ARRAY(SELECT id FROM old))
   )
   INSERT INTO access_changes (subject_id) VALUES ($1) RETURNING id`,
  { id: 'int8' },
);

/** Returns changes of the last $1 seconds. */
export const RECENT_ACCESS_CHANGES = statement(
  'access_changes.list_recent',
  `SELECT id, subject_id AS "subjectId" FROM access_changes WHERE changed_at > statement_timestamp() - $1::int * interval '1 second'`,
  { id: 'int8', subjectId: 'text' },
);
