import { nullable, statement } from '@tieline/platform/database';
import type { Column } from '@tieline/platform/database';

/** Integers, passed as an array literal: the driver's own conversion quotes and checks each. */
const INTEGERS: Column<number[], string> = { type: 'int4[]' };

/**
 * Counts a batch of calls, see `consumeParameters` and the function itself; null in all three:
 * everything was granted.
 */
export const CONSUME = statement(
  'rate_counters.consume_calls',
  {
    params: {
      keys: 'text[]',
      windows: INTEGERS,
      wanted: INTEGERS,
      tightest: INTEGERS,
      callRules: INTEGERS,
      callWanted: INTEGERS,
      ruleKey: INTEGERS,
      ruleLimit: INTEGERS,
    },
    columns: {
      granted: nullable('int4[]'),
      refusing: nullable('int4[]'),
      waitMs: nullable('int8[]'),
    },
  },
  `
  SELECT
    granted,
    refusing,
    wait_ms AS "waitMs"
  FROM rate_consume(
    :keys,
    :windows,
    :wanted,
    :tightest,
    :callRules,
    :callWanted,
    :ruleKey,
    :ruleLimit
  )
  `,
);

/** Refunds hits whose windows have not ended, see `refundParameters`. */
export const REFUND = statement(
  'rate_counters.refund_hits',
  {
    params: { keys: 'text[]', entryKey: INTEGERS, agesMs: INTEGERS },
    columns: { n: 'int4' },
  },
  'SELECT 1 AS n FROM rate_refund(:keys, :entryKey, :agesMs)',
);

/**
 * Deletes ended windows, at most this many. They are kept a little longer than they last, because a
 * refund may look at them.
 */
export const SWEEP = statement(
  'rate_counters.drop_ended',
  `DELETE FROM rate_counters
   WHERE ctid = ANY (ARRAY(
     SELECT ctid
     FROM rate_counters
     WHERE resets_at < extract(epoch FROM statement_timestamp()) * 1000 - 10000
     LIMIT $1
     FOR UPDATE SKIP LOCKED
   ))`,
  {},
);
