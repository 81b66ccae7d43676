import { nullable, statement, text } from '@tieline/platform/database';
import type { BreakerState } from './breaker.view.js';

/** The breakers of those targets that have failed lately. $1 targets */
export const FIND_BREAKERS = statement(
  'delivery_find_breakers',
  `SELECT target_id, failures, open_until,
     CASE WHEN open_until IS NULL THEN 'closed' WHEN open_until > statement_timestamp() THEN 'open' ELSE 'half_open' END AS state
   FROM delivery_targets WHERE target_id = ANY($1::uuid[])`,
  { target_id: 'uuid', failures: 'int4', open_until: nullable('timestamptz'), state: text<BreakerState>() },
);
