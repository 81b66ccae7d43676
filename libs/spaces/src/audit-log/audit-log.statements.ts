import { statement } from '@tieline/platform/database';

/**
 * Inserts an entry about read access, unless the same actor ($4, $5) has an entry with the same
 * action and object from the last hour. $10: an id from just before that hour, so that the search
 * can skip older entries.
 */
export const RECORD_READ_ACCESS = statement(
  'spaces.note_reading',
  `INSERT INTO audit_log (space_id, id, actor_id, actor_type, action, object_type, object_id, changes, ip)
   SELECT $1::uuid, $2::uuid, $4::uuid, $5::text, $6::text, $7::text, $3::uuid, $8::jsonb, $9::text
    WHERE NOT EXISTS (
      SELECT 1 FROM audit_log
       WHERE space_id = $1 AND object_id = $3 AND id > $10::uuid AND action = $6 AND actor_type = $5 AND actor_id IS NOT DISTINCT FROM $4
         AND created_at > statement_timestamp() - interval '1 hour')`,
  {},
);

/** Deletes up to $2 entries that are more than $1 days old, oldest first. */
export const DROP_OLD_ENTRIES = statement(
  'spaces.drop_old_audit_entries',
  `DELETE FROM audit_log WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM audit_log WHERE created_at < statement_timestamp() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
