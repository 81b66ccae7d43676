import type { RowOf, Tx } from '@tieline/platform/database';
import { ADD_USE, LOCK_RESPONSE, NOTE_ORIGINAL } from './response-uses.statements.js';
import type { ResponseSubject } from './response-subject.js';

/** The uses of a response token so far. */
export type ResponseUses = RowOf<typeof LOCK_RESPONSE>;

/**
 * Locks the uses of a token until the end of the transaction. Concurrent answers are serialized.
 */
export async function lockResponse(
  tx: Tx,
  spaceId: string,
  { id }: ResponseSubject,
  useId: string,
): Promise<ResponseUses> {
  const [row] = await tx.query(LOCK_RESPONSE, [spaceId, id, useId]);
  if (!row) throw new Error('the row that was just created is missing');
  return row;
}

/**
 * Counts an accepted answer. The caller holds the lock. @param posted the message that the answer
 * posted, recorded as the original of a command if it is the first
 */
export async function addUse(
  tx: Tx,
  spaceId: string,
  { id }: ResponseSubject,
  { useId, posted }: { useId: string; posted: string | undefined },
): Promise<void> {
  await tx.query(ADD_USE, { spaceId, id, useId, postedId: posted ?? null });
}

/**
 * Records which message a command posted first, so that late answers can change it. Call it in the
 * transaction that posts the message, before posting: answers take these locks in the same order.
 */
export async function noteOriginal(
  tx: Tx,
  { spaceId, triggerId, messageId }: { spaceId: string; triggerId: string; messageId: string },
): Promise<void> {
  await tx.query(NOTE_ORIGINAL, [spaceId, triggerId, messageId]);
}
