import { nullable, statement, text } from '@tieline/platform/database';
import type { BreakerState } from './breaker.view.js';

const BREAKERS = `SELECT
    target_id AS "targetId",
    failures,
    open_until AS "openUntil",
    CASE WHEN open_until IS NULL THEN 'closed' WHEN open_until > statement_timestamp() THEN 'open' ELSE 'half_open' END AS state
  FROM delivery_targets`;
const BREAKER = {
  targetId: 'uuid',
  failures: 'int4',
  openUntil: nullable('timestamptz'),
  state: text<BreakerState>(),
} as const;

/** Finds the breakers of those targets $1 that failed recently. */
export const FIND_BREAKERS = statement(
  'delivery_targets.find_breakers',
  `${BREAKERS} WHERE target_id = ANY($1::uuid[])`,
  BREAKER,
);

/** Lists at most $2 breakers of the space $1 that are not closed, worst first. */
export const LIST_OPEN_BREAKERS = statement(
  'delivery_targets.list_open_breakers',
  `${BREAKERS} WHERE space_id = $1 AND open_until IS NOT NULL ORDER BY failures DESC LIMIT $2`,
  BREAKER,
);
