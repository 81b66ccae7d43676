import { statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { deadLetterRuns } from '@tieline/delivery';
import type { SettledDelivery } from '@tieline/delivery';
import { autoDisable } from './auto-disable.js';

/*
 * Adds up the dead letters of active subscriptions and starts from 0 after a 2xx. A success of a healthy subscription
 * writes nothing and locks nothing. Rows are locked in the order of their ids, because several workers settle at once.
 * Deliveries that died because their subscription or space was switched off count for nothing.
 */
const COUNT = statement(
  'outgoing_count_dead_letters',
  `WITH runs AS (
     SELECT * FROM unnest($1::uuid[], $2::bool[], $3::int[], $4::int[], $5::int[]) AS r(target_id, reset, before_reset, since_reset, longest)
   ), counted AS (
     SELECT w.space_id, w.id, w.consecutive_dead AS stored, r.* FROM runs r JOIN outgoing_webhooks w ON w.id = r.target_id JOIN spaces s ON s.id = w.space_id
     WHERE w.status = 'active' AND w.deleted_at IS NULL AND s.is_active AND (r.before_reset + r.since_reset > 0 OR w.consecutive_dead > 0)
     ORDER BY w.id FOR UPDATE OF w
   ), updated AS (
     UPDATE outgoing_webhooks w SET consecutive_dead = CASE WHEN c.reset THEN c.since_reset ELSE w.consecutive_dead + c.since_reset END
     FROM counted c WHERE w.space_id = c.space_id AND w.id = c.id
     RETURNING w.space_id, w.id, greatest(c.stored + c.before_reset, c.longest) AS peak
   )
   SELECT space_id, id FROM updated WHERE peak >= $6::int`,
);

/**
 * Counts the consecutive dead letters of subscriptions, inside the transaction that settles a batch, and switches off
 * those that reached the threshold (contract, "Other lifecycles").
 */
export async function countDeadLetters(
  tx: Tx,
  threshold: number,
  results: readonly SettledDelivery[],
): Promise<void> {
  const runs = deadLetterRuns(results);
  if (runs.length === 0) return;
  const exhausted = await tx.query<{ space_id: string; id: string }>(COUNT, [
    runs.map((run) => run.targetId),
    runs.map((run) => run.reset),
    runs.map((run) => run.beforeReset),
    runs.map((run) => run.sinceReset),
    runs.map((run) => run.longest),
    threshold,
  ]);
  for (const { space_id: spaceId, id } of exhausted) await autoDisable(tx, { spaceId, id }, threshold);
}
