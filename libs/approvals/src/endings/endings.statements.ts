import { nullable, statement } from '@tieline/platform/database';
import { APPROVAL, COLUMNS } from '../approval-columns.js';

/** Finds pending approvals whose time is up, after a position, oldest first. */
export const FIND_DUE = statement(
  'approvals.find_due',
  {
    params: {
      afterAt: nullable('timestamptz'),
      afterId: nullable('uuid'),
      limit: 'int4',
    },
    columns: { spaceId: 'uuid', id: 'uuid', at: 'text' },
  },
  `
  SELECT
    space_id AS "spaceId",
    id,
    expires_at::text AS at
  FROM approvals
  WHERE state = 'pending'
    AND expires_at <= statement_timestamp()
    AND (:afterAt::timestamptz IS NULL OR (expires_at, id) > (:afterAt, :afterId))
  ORDER BY expires_at, id
  LIMIT :limit::int
  `,
);

/** Whether the time of a pending approval is up. */
export const APPROVALS_ARE_DUE = statement(
  'approvals.check_due',
  `SELECT EXISTS (
     SELECT 1 FROM approvals WHERE state = 'pending' AND expires_at <= statement_timestamp()
   ) AS due`,
  { due: 'bool' },
);

/** Locks an approval whose time is up, unless it is being changed or has ended. */
export const LOCK_DUE = statement(
  'approvals.lock_due',
  `SELECT
     ${COLUMNS},
     clock_timestamp() AS now
   FROM approvals a
   WHERE a.space_id = $1 AND a.id = $2 AND a.state = 'pending' AND a.expires_at <= statement_timestamp()
   FOR NO KEY UPDATE SKIP LOCKED`,
  { ...APPROVAL, now: 'timestamptz' },
);

/** Deletes approvals that ended more than $1 days ago, at most $2, the oldest first. */
export const DROP_OLD_APPROVALS = statement(
  'approvals.drop_old_approvals',
  `DELETE FROM approvals
   WHERE ctid = ANY (ARRAY(
     SELECT ctid
     FROM approvals
     WHERE ended_at < statement_timestamp() - $1::int * interval '1 day'
     ORDER BY ended_at
     LIMIT $2
     FOR UPDATE SKIP LOCKED
   ))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
