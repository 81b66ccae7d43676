import { rfc3339 } from '@tieline/platform/database';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { hashToken } from '@tieline/platform/signing';
import { v7 as uuidv7 } from 'uuid';
import type { InteractionContext } from '../delivery/interaction-context.js';
import type { ModalTokens } from './modal-tokens.js';

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
  await tx.query(
    `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, thread_id, message_id, action_id, click_id, modal, chain_depth, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp() + $13::float8 * interval '1 second')`,
    [
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
    ],
  );
  return { modal, modalToken };
}

/** The modal that the click of this fingerprint opened, as long as nobody has submitted it. */
export async function findModalOfClick(
  q: Queryable,
  tokens: ModalTokens,
  spaceId: string,
  fingerprint: Buffer,
): Promise<OpenedModal | undefined> {
  const [row] = await q.query<{ id: string; hash: Buffer; modal: string }>(
    `SELECT m.id, m.token_hash AS hash, m.modal FROM component_clicks c JOIN modals m ON m.space_id = c.space_id AND m.click_id = c.click_id
      WHERE c.space_id = $1 AND c.fingerprint = $2 AND m.used_at IS NULL AND m.expires_at > clock_timestamp()`,
    [spaceId, fingerprint],
  );
  const modalToken = row && tokens.tokenMatching(spaceId, row.id, row.hash);
  return row && modalToken !== undefined
    ? { modal: JSON.parse(row.modal) as OpenedModal['modal'], modalToken }
    : undefined;
}

/** An opened modal. */
export interface Modal extends InteractionContext {
  id: string;
  chainDepth: number;
  /** Used, expired, or being submitted at this moment. */
  isGone: boolean;
}

const FREE = `used_at IS NULL AND expires_at > clock_timestamp() AND coalesce(claimed_until <= clock_timestamp(), true)`;

/** The modal of a token, or undefined when the space has none. */
export async function findModal(
  q: Queryable,
  spaceId: string,
  modalToken: string,
): Promise<Modal | undefined> {
  const [row] = await q.query<Modal>(
    `SELECT space_id AS "spaceId", id, bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId", message_id AS "messageId",
            action_id AS "actionId", chain_depth AS "chainDepth", NOT (${FREE}) AS "isGone"
       FROM modals WHERE space_id = $1 AND token_hash = $2`,
    [spaceId, hashToken(modalToken)],
  );
  return row;
}

/** The right to tell a bot of one submission. */
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
  const [row] = await db.query<{ occurredAt: string }>(
    `UPDATE modals SET claim_id = $3, claimed_until = clock_timestamp() + $4::float8 * interval '1 millisecond' WHERE space_id = $1 AND id = $2 AND ${FREE}
     RETURNING ${rfc3339('clock_timestamp()')} AS "occurredAt"`,
    [spaceId, modalId, claimId, leaseMs],
  );
  return row && { spaceId, modalId, claimId, occurredAt: row.occurredAt };
}

/** Uses a modal up. @returns false when the claim was lost: somebody else submitted it meanwhile */
export async function useModal(tx: Tx, { spaceId, modalId, claimId }: ModalClaim): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE modals SET used_at = clock_timestamp() WHERE space_id = $1 AND id = $2 AND claim_id = $3 AND used_at IS NULL RETURNING 1 AS n',
    [spaceId, modalId, claimId],
  );
  return rows.length > 0;
}

/** The submission failed: the token is as good as before. */
export async function releaseModal(db: Db, { spaceId, modalId, claimId }: ModalClaim): Promise<void> {
  await db.query(
    'UPDATE modals SET claim_id = NULL, claimed_until = NULL WHERE space_id = $1 AND id = $2 AND claim_id = $3',
    [spaceId, modalId, claimId],
  );
}
