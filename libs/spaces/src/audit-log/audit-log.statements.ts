import { statement } from '@tieline/platform/database';

/** Adds an entry to the audit log. */
export const RECORD_CHANGE = statement(
  'spaces.record_change',
  `INSERT INTO audit_log (space_id, id, actor_id, actor_type, action, object_type, object_id, changes, ip)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)`,
  {},
);
