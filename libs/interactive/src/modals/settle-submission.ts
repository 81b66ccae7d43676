import { lockInteraction } from '../answers/interactions.queries.js';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { modalGone } from '../interactive.errors.js';
import type { ModalClaim } from './modals.queries.js';
import {
  AWAIT_ANSWER,
  FINISH_MODAL,
  REOPEN_MODAL,
  KEEP_MODAL,
  LOCK_MODAL,
  RELEASE_MODAL,
  USE_MODAL,
} from './modals.statements.js';

/** Results that keep the modal open. */
const RESULTS_KEEPING_MODAL: ReadonlySet<string> = new Set(['errors', 'update_modal', 'push_modal']);

/**
 * Settles a claimed submission after the bot's answer, or after queueing it. @throws 410 if the
 * claim was lost
 */
export async function settleClaimed(
  tx: Tx,
  claim: ModalClaim,
  result: string,
  answerSeconds: number,
): Promise<void> {
  const rows =
    result === 'queued'
      ? await tx.query(AWAIT_ANSWER, { ...claim, answerSeconds })
      : await tx.query(RESULTS_KEEPING_MODAL.has(result) ? KEEP_MODAL : USE_MODAL, claim);
  if (rows.length === 0) throw modalGone();
}

/** Settles a queued submission after the bot's answer. The caller holds the interaction's lock. */
export async function settleQueued(tx: Tx, spaceId: string, modalId: string, result: string): Promise<void> {
  await tx.query(RESULTS_KEEPING_MODAL.has(result) ? REOPEN_MODAL : FINISH_MODAL, [spaceId, modalId]);
}

/**
 * Reopens the modal of an interaction after an invalid answer, so that it can be submitted again.
 * @returns false, without changes, if the interaction has been answered since
 */
export async function reopenUnanswered(db: Db, spaceId: string, interactionId: string): Promise<boolean> {
  return runInTx(
    db,
    async (tx) => {
      const interaction = await lockInteraction(tx, spaceId, interactionId);
      if (!interaction || interaction.answeredAt !== null) return false;
      if (interaction.modalId !== null) await tx.query(REOPEN_MODAL, [spaceId, interaction.modalId]);
      return true;
    },
    { spaceId, place: interactionId },
  );
}

/**
 * Returns whether the submission was settled under this claim. Waits for a transaction that is
 * committing.
 */
export async function isSettled(tx: Tx, claim: ModalClaim): Promise<boolean> {
  const [row] = await tx.query(LOCK_MODAL, claim);
  return row?.isSettled === true;
}

/** Releases the claim of a failed submission, so that the token can be used again. */
export async function releaseModal(db: Db, claim: ModalClaim): Promise<void> {
  await db.query(RELEASE_MODAL, claim);
}
