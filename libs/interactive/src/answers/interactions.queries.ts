import type { RowOf, Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../interactions/interaction-context.js';
import { INSERT_INTERACTION, LOCK_INTERACTION, MARK_ANSWERED } from './interactions.statements.js';

/** An interaction that a bot in poll mode may answer. */
export interface NewInteraction {
  id: string;
  context: InteractionContext;
  /** The click's id; undefined for a submitted modal. */
  clickId: string | undefined;
  /** Id of the submitted modal; undefined for a click. */
  modalId: string | undefined;
  /** Number of earlier modals in the chain. */
  chainDepth: number;
  ttlSeconds: number;
}

export async function insertInteraction(
  tx: Tx,
  { id, context, clickId, modalId, chainDepth, ttlSeconds }: NewInteraction,
): Promise<void> {
  await tx.query(INSERT_INTERACTION, {
    ...{ ...context, id, chainDepth, ttlSeconds },
    clickId: clickId ?? null,
    modalId: modalId ?? null,
  });
}

/** An interaction whose row is locked. */
export type Interaction = RowOf<typeof LOCK_INTERACTION>;

/**
 * Returns the interaction and locks it until the end of the transaction. Concurrent answers are
 * serialized.
 */
export async function lockInteraction(tx: Tx, spaceId: string, id: string): Promise<Interaction | undefined> {
  const [row] = await tx.query(LOCK_INTERACTION, [spaceId, id]);
  return row;
}

/**
 * Marks the interaction as answered. The caller holds its lock.
 * @param isAcknowledged whether the answer came with a socket's acknowledgement
 * @returns the time, which identifies the answer
 */
export async function markAnswered(
  tx: Tx,
  spaceId: string,
  id: string,
  isAcknowledged: boolean,
): Promise<string | undefined> {
  const [row] = await tx.query(MARK_ANSWERED, [spaceId, id, isAcknowledged]);
  return row?.answeredAt;
}
