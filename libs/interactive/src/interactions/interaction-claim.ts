import type { Db, Tx } from '@tieline/platform/database';
import { acceptClick, isAcceptedClick, releaseClick } from '../clicks/component-clicks.queries.js';
import type { ClickClaim } from '../clicks/component-clicks.queries.js';
import type { ModalClaim } from '../modals/modals.queries.js';
import { isSettled, releaseModal, settleClaimed } from '../modals/settle-submission.js';

/** The exclusive right to send one click or submission to its bot. Released if the bot fails. */
export type InteractionClaim = ClickClaim | ModalClaim;

/**
 * Marks the claim as used, in the transaction that applies the answer or queues the interaction.
 * @param result decides whether a modal stays open.
 * @param answerSeconds how long a submission in a queue can be answered.
 * @throws 410 if the claim of a modal was lost
 */
export function acceptClaim(
  tx: Tx,
  claim: InteractionClaim,
  result: string,
  answerSeconds: number,
): Promise<void> {
  return 'clickId' in claim ? acceptClick(tx, claim) : settleClaimed(tx, claim, result, answerSeconds);
}

/**
 * Returns whether the claim was used already, after the outcome of a COMMIT was unknown. Takes a
 * lock, so it waits for a transaction that is still committing.
 */
export function isAcceptedClaim(tx: Tx, claim: InteractionClaim): Promise<boolean> {
  return 'clickId' in claim ? isAcceptedClick(tx, claim) : isSettled(tx, claim);
}

/** Releases the claim of a failed interaction, so that it can be sent again immediately. */
export function releaseClaim(db: Db, claim: InteractionClaim): Promise<void> {
  return 'clickId' in claim ? releaseClick(db, claim) : releaseModal(db, claim);
}
