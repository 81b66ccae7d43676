import type { RowOf, Tx } from '@tieline/platform/database';
import { KILL_PENDING } from './results.statements.js';

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
  const rows = await tx.query<RowOf<typeof KILL_PENDING>>(KILL_PENDING.text, [targetId, kind, error]);
  return rows[0]?.n ?? 0;
}
