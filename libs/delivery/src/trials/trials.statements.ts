import { nullable, statement, text } from '@tieline/platform/database';

/** Reads the state of the test sends $1. One is under way while a worker has leased it. */
export const FIND_TRIALS = statement(
  'delivery_find_trials',
  `SELECT d.id, d.status, d.error, a.status_code, a.duration_ms, a.error AS attempt_error,
     EXISTS (SELECT 1 FROM delivery_queue q WHERE q.id = d.id AND q.lease_until > statement_timestamp()) AS under_way
   FROM deliveries d LEFT JOIN LATERAL (
     SELECT status_code, duration_ms, error FROM delivery_attempts WHERE delivery_id = d.id AND space_id = d.space_id ORDER BY attempt DESC LIMIT 1) a ON true
   WHERE d.id = ANY($1::uuid[])`,
  {
    id: 'uuid',
    status: text<'pending' | 'success' | 'dead'>(),
    error: nullable('text'),
    status_code: nullable('int4'),
    duration_ms: nullable('int4'),
    attempt_error: nullable('text'),
    under_way: 'bool',
  },
);
