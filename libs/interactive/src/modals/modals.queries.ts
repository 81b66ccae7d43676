import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { v7 as uuidv7 } from 'uuid';
import type { InteractionContext } from '../delivery/interaction-context.js';
import type { ModalTokens } from './modal-tokens.js';
import {
  CLAIM_MODAL,
  FIND_MODAL,
  FIND_MODAL_OF_CLICK,
  INSERT_MODAL,
  LOCK_MODAL,
  RELEASE_MODAL,
  USE_MODAL,
} from './modals.statements.js';

/** A form to be shown to one person, with the right to submit it once. */
export interface OpenedModal {
  modal: Readonly<Record<string, unknown>>;
  modalToken: string;
}

/** What a modal is opened for. */
export interface NewModal {
  context: InteractionContext;
  modal: Readonly<Record<string, unknown>>;
  /** 1 for the first of a chain. */
  chainDepth: number;
  /** The click that it answers, if that is one. */
  clickId: string | undefined;
  ttlSeconds: number;
}

/** Stores a modal, its token as a hash. */
export async function insertModal(
  tx: Tx,
  tokens: ModalTokens,
  { context, modal, chainDepth, clickId, ttlSeconds }: NewModal,
): Promise<OpenedModal> {
  const id = uuidv7();
  const modalToken = tokens.tokenOf(context.spaceId, id);
  await tx.query(INSERT_MODAL, [
    context.spaceId,
    id,
    hashToken(modalToken),
    context.botId,
    context.userId,
    context.conversationId,
    context.threadId,
    context.messageId,
    context.actionId,
    clickId ?? null,
    JSON.stringify(modal),
    chainDepth,
    ttlSeconds,
    context.triggerId,
    context.commandId,
  ]);
  return { modal, modalToken };
}

/** The modal that the click of this fingerprint opened, as long as nobody has submitted it. */
export async function findModalOfClick(
  q: Queryable,
  tokens: ModalTokens,
  spaceId: string,
  fingerprint: Buffer,
): Promise<OpenedModal | undefined> {
  const [row] = await q.query(FIND_MODAL_OF_CLICK, [spaceId, fingerprint]);
  const modalToken = row && tokens.tokenMatching(spaceId, row.id, row.hash);
  return row && modalToken !== undefined
    ? { modal: JSON.parse(row.modal) as OpenedModal['modal'], modalToken }
    : undefined;
}

/** An opened modal. */
export type Modal = RowOf<typeof FIND_MODAL>;

/** The modal of a token, or undefined when the space has none. */
export async function findModal(
  q: Queryable,
  spaceId: string,
  modalToken: string,
): Promise<Modal | undefined> {
  const [row] = await q.query(FIND_MODAL, [spaceId, hashToken(modalToken)]);
  return row;
}

/** The claim to deliver one submission to its bot. */
export interface ModalClaim {
  spaceId: string;
  modalId: string;
  claimId: string;
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
}

/** Claims a modal for as long as a bot may take to answer. @returns undefined when it is used, expired or being submitted */
export async function claimModal(
  db: Db,
  { spaceId, id: modalId }: Modal,
  leaseMs: number,
): Promise<ModalClaim | undefined> {
  const claimId = uuidv7();
  const [row] = await db.query(CLAIM_MODAL, [spaceId, modalId, claimId, leaseMs]);
  return row && { spaceId, modalId, claimId, occurredAt: row.occurredAt };
}

/** Uses a modal up. @returns false when the claim was lost: somebody else submitted it meanwhile */
export async function useModal(tx: Tx, { spaceId, modalId, claimId }: ModalClaim): Promise<boolean> {
  const rows = await tx.query(USE_MODAL, [spaceId, modalId, claimId]);
  return rows.length > 0;
}

/** Whether the modal was used up under this claim, also by a transaction that is committing at this moment. */
export async function isUsedModal(tx: Tx, { spaceId, modalId, claimId }: ModalClaim): Promise<boolean> {
  const [row] = await tx.query(LOCK_MODAL, [spaceId, modalId, claimId]);
  return row?.isUsed === true;
}

/** The submission failed; the token may be used again. */
export async function releaseModal(db: Db, { spaceId, modalId, claimId }: ModalClaim): Promise<void> {
  await db.query(RELEASE_MODAL, [spaceId, modalId, claimId]);
}
