import { statement } from '@tieline/platform/database';

/** Forgets entries that are over $1 days old, $2 at most, the oldest first. */
export const DROP_OLD_ENTRIES = statement(
  'spaces.drop_old_audit_entries',
  `DELETE FROM audit_log WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM audit_log WHERE created_at < statement_timestamp() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
