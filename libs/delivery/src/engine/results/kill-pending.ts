import { unprepared } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { KILL_PENDING, KILL_UNSENT } from './results.statements.js';

/** Which deliveries to close, and the error in their log. */
export interface KillRequest {
  kind: string;
  targetId: string;
  error: string;
  /** Maximum number of deliveries. Default: all. */
  limit?: number;
}

/**
 * Closes every pending counted delivery of a target as dead, in the caller's transaction. An
 * attempt in flight may still reach the receiver, but its result no longer counts. Changes no
 * dead-letter counter.
 * @returns the number of deliveries closed
 */
export async function killPending(tx: Tx, request: KillRequest): Promise<number> {
  const rows = await tx.query(unprepared(KILL_PENDING), { limit: null, ...request });
  return rows[0]?.n ?? 0;
}

/**
 * Closes those of these deliveries that are not being sent, in the caller's transaction. Changes no
 * dead-letter counter.
 */
export async function killUnsent(tx: Tx, ids: readonly string[], error: string): Promise<void> {
  if (ids.length > 0) await tx.query(unprepared(KILL_UNSENT), [ids, error]);
}
