import { nullable, statement, text } from '@tieline/platform/database';

/** Reads the state of the test sends $1. One is under way while a worker has leased it. */
export const FIND_TRIALS = statement(
  'deliveries.find_trials',
  `SELECT
     d.id,
     d.status,
     d.error,
     a.status_code AS "statusCode",
     a.duration_ms AS "durationMs",
     a.error AS "attemptError",
     coalesce((SELECT q.lease_until > statement_timestamp() FROM delivery_queue q WHERE q.id = d.id), false) AS "isUnderWay"
   FROM deliveries d LEFT JOIN LATERAL (
     SELECT status_code, duration_ms, error FROM delivery_attempts WHERE delivery_id = d.id AND space_id = d.space_id ORDER BY attempt DESC LIMIT 1) a ON true
   WHERE d.id = ANY($1::uuid[])`,
  {
    id: 'uuid',
    status: text<'pending' | 'success' | 'dead'>(),
    error: nullable('text'),
    statusCode: nullable('int4'),
    durationMs: nullable('int4'),
    attemptError: nullable('text'),
    isUnderWay: 'bool',
  },
);
