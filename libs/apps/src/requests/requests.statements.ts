import { statement } from '@tieline/platform/database';

/** Deletes requests of more than 90 days ago, at most $1. */
export const DROP_OLD_REQUESTS = statement(
  'app_requests.drop_old',
  `DELETE FROM app_requests WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM app_requests WHERE created_at < statement_timestamp() - interval '90 days'
     ORDER BY created_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
