import { nullable, statement } from '@tieline/platform/database';

/**
 * Counts a batch of calls, see `consumeParameters` and the function itself; null in all three:
 * everything was granted.
 */
export const CONSUME = statement(
  'rate_consume',
  'SELECT granted, refusing, wait_ms FROM rate_consume($1, $2, $3, $4, $5, $6, $7, $8)',
  { granted: nullable('int4[]'), refusing: nullable('int4[]'), wait_ms: nullable('int8[]') },
);

/** Refunds hits whose windows have not ended, see `refundParameters`. */
export const REFUND = statement('rate_refund', 'SELECT 1 AS n FROM rate_refund($1, $2, $3)', { n: 'int4' });

/**
 * Deletes ended windows, at most this many. They are kept a little longer than they last, because a
 * refund may look at them.
 */
export const SWEEP = statement(
  'rate_sweep',
  `DELETE FROM rate_counters WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM rate_counters WHERE resets_at < extract(epoch FROM statement_timestamp()) * 1000 - 10000 LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  {},
);
