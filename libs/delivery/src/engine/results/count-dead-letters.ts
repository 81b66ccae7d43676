import { statement } from '@tieline/platform/database';
import type { Statement, Tx } from '@tieline/platform/database';
import type { SettledDelivery } from '../delivery.types.js';
import { deadLetterRuns } from './dead-letter-runs.js';

/** The table that counts dead letters of its targets. */
export interface DeadLetterCounter {
  /** A table with `space_id`, `id` and `exhausted_at`. Its ids are the targets of deliveries. */
  table: string;
  /** The column that counts consecutive dead letters. */
  column: string;
  /**
   * SQL over `t`, a row of the table: whether it and its space are active. Deliveries that failed
   * because their target was inactive are not counted.
   */
  counts: string;
}

/** Signal of transactions that mark a target. */
export const EXHAUSTED_TARGETS = 'exhausted-targets';

/** Parameters and columns of {@link deadLetterCounter}'s statement. */
const COUNT = {
  params: {
    targetIds: 'uuid[]',
    resets: 'bool[]',
    beforeResets: 'int4[]',
    sinceResets: 'int4[]',
    longest: 'int4[]',
    threshold: 'int4',
  },
  /** The targets that reached the threshold. */
  columns: { spaceId: 'uuid', id: 'uuid' },
} as const;
type CountStatement = Statement<typeof COUNT.columns, typeof COUNT.params>;

/**
 * Builds the statement that counts consecutive dead letters of one kind of targets. A 2xx resets
 * the count. A success of a healthy target writes and locks nothing. Rows are locked in the order
 * of their ids, because several workers settle concurrently.
 */
export function deadLetterCounter(
  name: string,
  { table, column, counts }: DeadLetterCounter,
): CountStatement {
  return statement(
    name,
    COUNT,
    `
    WITH runs AS (
      SELECT * FROM unnest(
        :targetIds::uuid[],
        :resets::bool[],
        :beforeResets::int[],
        :sinceResets::int[],
        :longest::int[]
      ) AS r (
        target_id,
        reset,
        before_reset,
        since_reset,
        longest
      )
    ), counted AS (
      SELECT t.space_id, t.id, t.${column} AS stored, r.*
      FROM runs r
      JOIN ${table} t ON t.id = r.target_id
      WHERE (${counts})
        AND t.exhausted_at IS NULL
        AND (r.before_reset + r.since_reset > 0 OR t.${column} > 0)
      ORDER BY t.id FOR NO KEY UPDATE OF t
    ), updated AS (
      UPDATE ${table} t
      SET
        ${column} = CASE WHEN c.reset THEN c.since_reset ELSE t.${column} + c.since_reset END,
        exhausted_at = CASE WHEN greatest(c.stored + c.before_reset, c.longest) >= :threshold::int THEN clock_timestamp() END
      FROM counted c
      WHERE t.space_id = c.space_id AND t.id = c.id
      RETURNING t.space_id, t.id, greatest(c.stored + c.before_reset, c.longest) AS peak
    )
    SELECT space_id AS "spaceId", id FROM updated WHERE peak >= :threshold::int
    `,
  );
}

/**
 * Counts the dead letters of a batch in the transaction that settles it. Marks targets that reach
 * the threshold (`exhausted_at`). They get no more deliveries, and the processor `auto-disable`
 * disables them.
 * @param counter from {@link deadLetterCounter}
 */
export async function countDeadLetters(
  tx: Tx,
  counter: CountStatement,
  threshold: number,
  results: readonly SettledDelivery[],
): Promise<void> {
  const runs = deadLetterRuns(results);
  if (runs.length === 0) return;
  const exhausted = await tx.query(counter, {
    targetIds: runs.map((run) => run.targetId),
    resets: runs.map((run) => run.reset),
    beforeResets: runs.map((run) => run.beforeReset),
    sinceResets: runs.map((run) => run.sinceReset),
    longest: runs.map((run) => run.longest),
    threshold,
  });
  if (exhausted.length > 0) tx.signal(EXHAUSTED_TARGETS);
}
