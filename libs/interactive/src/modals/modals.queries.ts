import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { v7 as uuidv7 } from 'uuid';
import type { InteractionContext } from '../interactions/interaction-context.js';
import { ModalDefinition } from './validated/modal-definition.js';
import type { ModalTokens } from './modal-tokens.js';
import {
  CLAIM_MODAL,
  CLOSE_MODAL,
  FIND_MODAL,
  FIND_MODAL_OF_CLICK,
  INSERT_MODAL,
} from './modals.statements.js';

/** A modal to show to one person, with the token to submit it. */
export interface OpenedModal {
  /** The definition without the bot's private fields. */
  modal: Readonly<Record<string, unknown>>;
  modalToken: string;
}

/** A modal to insert. */
export interface NewModal {
  context: InteractionContext;
  definition: ModalDefinition;
  /** 1 for the first modal of a chain. */
  chainDepth: number;
  /** The click that opened the modal, if any. */
  clickId: string | undefined;
  ttlSeconds: number;
  /** The modal below it, and the depth of the stack including this one. */
  on?: { parentId: string; stackDepth: number };
}

/** Stores a modal with the hash of its token. */
export async function insertModal(
  tx: Tx,
  tokens: ModalTokens,
  { context, definition, chainDepth, clickId, ttlSeconds, on }: NewModal,
): Promise<OpenedModal> {
  const id = uuidv7();
  const modalToken = tokens.tokenOf(context.spaceId, id);
  await tx.query(INSERT_MODAL, {
    ...context,
    ...{ id, chainDepth, ttlSeconds, clickId: clickId ?? null },
    tokenHash: hashToken(modalToken),
    modal: definition.json,
    isValidated: definition.validated !== undefined,
    parentId: on?.parentId ?? null,
    stackDepth: on?.stackDepth ?? 1,
  });
  return { modal: definition.shown, modalToken };
}

/**
 * Returns the modal that was opened by the click with this fingerprint, if it has not been
 * submitted.
 */
export async function findModalOfClick(
  q: Queryable,
  tokens: ModalTokens,
  spaceId: string,
  fingerprint: Buffer,
): Promise<OpenedModal | undefined> {
  const [row] = await q.query(FIND_MODAL_OF_CLICK, [spaceId, fingerprint]);
  const modalToken = row && tokens.tokenMatching(spaceId, row.id, row.hash);
  return row && modalToken !== undefined
    ? { modal: ModalDefinition.stored(row.modal, row.isValidated).shown, modalToken }
    : undefined;
}

/** An open modal. */
export type Modal = RowOf<typeof FIND_MODAL>;

/** Returns the modal of a token, or undefined if the space has none. */
export async function findModal(
  q: Queryable,
  spaceId: string,
  modalToken: string,
): Promise<Modal | undefined> {
  const [row] = await q.query(FIND_MODAL, [spaceId, hashToken(modalToken)]);
  return row;
}

/** The exclusive right to deliver one submission to its bot. */
export interface ModalClaim {
  spaceId: string;
  modalId: string;
  claimId: string;
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
}

/**
 * Claims a modal for as long as a bot may take to answer. @returns undefined if it is used,
 * expired, covered or being submitted
 */
export async function claimModal(
  db: Db,
  { spaceId, id: modalId }: Modal,
  leaseMs: number,
): Promise<ModalClaim | undefined> {
  const claim = { spaceId, modalId, claimId: uuidv7() };
  const [row] = await db.query(CLAIM_MODAL, { ...claim, leaseMs });
  return row && { ...claim, occurredAt: row.occurredAt };
}

/**
 * Closes a modal. @returns the time as RFC 3339 with nine fractional digits; undefined in the same
 * cases as {@link claimModal}
 */
export async function closeModal(tx: Tx, { spaceId, id }: Modal): Promise<string | undefined> {
  const [row] = await tx.query(CLOSE_MODAL, [spaceId, id]);
  return row?.occurredAt;
}
