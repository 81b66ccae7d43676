import type { RowOf, Tx } from '@tieline/platform/database';
import { ADD_USE, LOCK_RESPONSE, NOTE_ORIGINAL } from './response-uses.statements.js';
import type { ResponseSubject } from './response-subject.js';

/** What became of a response token so far. */
export type ResponseUses = RowOf<typeof LOCK_RESPONSE>;

/** Locked until the end of the transaction: of several answers one comes first. */
export async function lockResponse(
  tx: Tx,
  spaceId: string,
  { id }: ResponseSubject,
  useId: string,
): Promise<ResponseUses> {
  const [row] = await tx.query(LOCK_RESPONSE, [spaceId, id, useId]);
  if (!row) throw new Error('the row that was just made is gone');
  return row;
}

/**
 * Counts an accepted answer. The caller holds the lock. @param posted a command's message, if it is
 * its first
 */
export async function addUse(
  tx: Tx,
  spaceId: string,
  { id }: ResponseSubject,
  { useId, posted }: { useId: string; posted: string | undefined },
): Promise<void> {
  await tx.query(ADD_USE, [spaceId, id, useId, posted ?? null]);
}

/**
 * Notes which message a command posted, so that late answers can change it (decisions, section
 * 11.4); only its first one counts. In the transaction that posts it, before it does: answers take
 * these locks in the same order.
 */
export async function noteOriginal(
  tx: Tx,
  { spaceId, triggerId, messageId }: { spaceId: string; triggerId: string; messageId: string },
): Promise<void> {
  await tx.query(NOTE_ORIGINAL, [spaceId, triggerId, messageId]);
}
