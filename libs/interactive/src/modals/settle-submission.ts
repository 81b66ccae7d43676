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

/** Answers after which the form is still there (decisions, section 11.6). */
const RESULTS_KEEPING_MODAL: ReadonlySet<string> = new Set(['errors', 'update_modal', 'push_modal']);

/**
 * Settles a claimed submission by what it was answered with, or by its way into the queue. @throws
 * 410 when the claim was lost
 */
export async function settleClaimed(
  tx: Tx,
  { spaceId, modalId, claimId }: ModalClaim,
  result: string,
  awaitSeconds: number,
): Promise<void> {
  const claim = [spaceId, modalId, claimId] as const;
  const rows =
    result === 'queued'
      ? await tx.query(AWAIT_ANSWER, [...claim, awaitSeconds])
      : await tx.query(RESULTS_KEEPING_MODAL.has(result) ? KEEP_MODAL : USE_MODAL, [...claim]);
  if (rows.length === 0) throw modalGone();
}

/**
 * Settles a submission from the queue by what the bot answered. The caller holds the interaction's
 * lock.
 */
export async function settleQueued(tx: Tx, spaceId: string, modalId: string, result: string): Promise<void> {
  await tx.query(RESULTS_KEEPING_MODAL.has(result) ? REOPEN_MODAL : FINISH_MODAL, [spaceId, modalId]);
}

/**
 * After an invalid answer to an interaction: its modal, if it submitted one, can be submitted
 * again.
 * @returns false when the interaction has been answered since; nothing changes then
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
 * Whether the submission was settled under this claim, also by a transaction that is committing at
 * this moment.
 */
export async function isSettled(tx: Tx, { spaceId, modalId, claimId }: ModalClaim): Promise<boolean> {
  const [row] = await tx.query(LOCK_MODAL, [spaceId, modalId, claimId]);
  return row?.isSettled === true;
}

/** The submission failed; the token may be used again. */
export async function releaseModal(db: Db, { spaceId, modalId, claimId }: ModalClaim): Promise<void> {
  await db.query(RELEASE_MODAL, [spaceId, modalId, claimId]);
}
