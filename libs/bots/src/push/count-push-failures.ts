import { statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { deadLetterRuns } from '@tieline/delivery';
import type { SettledDelivery } from '@tieline/delivery';
import { autoDisablePush } from './auto-disable-push.js';

/*
 * Adds up the failed deliveries of bots in mode `webhook` and starts from 0 after a 2xx. A success of a healthy bot writes
 * nothing and locks nothing. Rows are locked in the order of their ids, because several workers settle at once. Deliveries that
 * died because their bot or space was switched off count for nothing.
 */
const COUNT = statement(
  'bots.count_push_failures',
  `WITH runs AS (
     SELECT * FROM unnest($1::uuid[], $2::bool[], $3::int[], $4::int[], $5::int[]) AS r(target_id, reset, before_reset, since_reset, longest)
   ), counted AS (
     SELECT b.space_id, b.id, b.push_failures AS stored, r.* FROM runs r JOIN bots b ON b.id = r.target_id JOIN spaces s ON s.id = b.space_id
     WHERE b.event_delivery_mode = 'webhook' AND b.is_active AND b.deleted_at IS NULL AND s.is_active AND (r.before_reset + r.since_reset > 0 OR b.push_failures > 0)
     ORDER BY b.id FOR NO KEY UPDATE OF b
   ), updated AS (
     UPDATE bots b SET push_failures = CASE WHEN c.reset THEN c.since_reset ELSE b.push_failures + c.since_reset END
     FROM counted c WHERE b.space_id = c.space_id AND b.id = c.id
     RETURNING b.space_id, b.id, greatest(c.stored + c.before_reset, c.longest) AS peak
   )
   SELECT space_id, id FROM updated WHERE peak >= $6::int`,
);

/** Counts the consecutive failed deliveries of bots, inside the transaction that settles a batch, and ends the push of those that reached the threshold. */
export async function countPushFailures(
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
  for (const { space_id: spaceId, id } of exhausted) await autoDisablePush(tx, { spaceId, id }, threshold);
}
