import type { Tx } from '@tieline/platform/database';

/** Which deliveries end, and what their log says. */
export interface KillRequest {
  kind: string;
  targetId: string;
  error: string;
}

/**
 * Ends every pending counted delivery of a target as dead, in the caller's transaction. An attempt in flight may still
 * reach the receiver; its result no longer counts. Changes no dead-letter counter.
 * @returns how many deliveries ended
 */
export async function killPending(tx: Tx, { kind, targetId, error }: KillRequest): Promise<number> {
  const rows = await tx.query<{ n: number }>(
    `WITH killed AS (
       DELETE FROM delivery_queue WHERE target_id = $1 AND kind = $2 AND counts RETURNING id, space_id, attempts
     ), logged AS (
       UPDATE deliveries d SET status = 'dead', attempts = k.attempts, error = $3, finished_at = clock_timestamp()
       FROM killed k WHERE d.id = k.id AND d.space_id = k.space_id
     ) SELECT count(*) AS n FROM killed`,
    [targetId, kind, error],
  );
  return rows[0]?.n ?? 0;
}
