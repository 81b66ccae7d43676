import type { Message } from '@tieline/conversations';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { EphemeralMessage } from './ephemeral-message.js';
import {
  UPDATE_EPHEMERAL,
  DELETE_EPHEMERAL,
  FIND_EPHEMERAL,
  INSERT_EPHEMERAL,
  LOCK_EPHEMERAL,
} from './ephemeral.statements.js';

/**
 * Stores an ephemeral message with buttons until their tokens expire, in the transaction that signs
 * them.
 */
export async function storeEphemeral(tx: Tx, message: EphemeralMessage, ttlSeconds: number): Promise<void> {
  await tx.query(INSERT_EPHEMERAL, { ...message, ttlSeconds });
}

/**
 * Returns an ephemeral message that was shown to this person, in the form of a bot's message;
 * undefined if there is none or it has expired.
 */
export async function findEphemeral(
  q: Queryable,
  spaceId: string,
  userId: string,
  id: string,
): Promise<Message | undefined> {
  const [row] = await q.query(FIND_EPHEMERAL, [spaceId, id, userId]);
  if (!row) return undefined;
  const { conversationId, botId, text, metadataJson, sourceJson, sentAt } = row;
  return {
    id: id.toLowerCase(),
    conversationId,
    authorId: botId,
    authorType: 'bot',
    text,
    metadataJson,
    sentAt,
    msgIndex: 0,
    mentions: null,
    threadId: null,
    displayName: null,
    displayAvatarUrl: null,
    textDerived: null,
    sourceJson,
    editedAt: null,
    deletedAt: null,
    reactions: null,
    pin: null,
  };
}

/** A change of an ephemeral message. Absent fields stay unchanged; null removes the metadata. */
export interface EphemeralChange {
  text?: string | undefined;
  metadataJson?: string | null | undefined;
  /** With a text: the message in the format of another product, if it was sent so. */
  sourceJson?: string | undefined;
  /** Renews the tokens in unchanged metadata. */
  renew?: ((metadataJson: string) => string) | undefined;
}

/**
 * Changes an ephemeral message of the bot. @returns the changed message, or undefined if the bot
 * has no such message
 */
export async function updateEphemeral(
  tx: Tx,
  { spaceId, botId, id }: Pick<EphemeralMessage, 'spaceId' | 'botId' | 'id'>,
  { text, metadataJson: given, sourceJson, renew }: EphemeralChange,
  ttlSeconds: number,
): Promise<EphemeralMessage | undefined> {
  const [kept] = given === undefined ? await tx.query(LOCK_EPHEMERAL, [spaceId, id, botId]) : [];
  const metadataJson = kept?.metadataJson ? renew?.(kept.metadataJson) : given;
  const [row] = await tx.query(UPDATE_EPHEMERAL, {
    ...{ spaceId, id, botId, ttlSeconds },
    text: text ?? null,
    hasMetadata: metadataJson !== undefined,
    metadataJson: metadataJson ?? null,
    sourceJson: sourceJson ?? null,
  });
  return row && { spaceId, botId, id, ...row };
}

/**
 * Deletes an ephemeral message of the bot. @returns the deleted message, or undefined if the bot
 * has no such message
 */
export async function deleteEphemeral(
  tx: Tx,
  { spaceId, botId, id }: Pick<EphemeralMessage, 'spaceId' | 'botId' | 'id'>,
): Promise<EphemeralMessage | undefined> {
  const [row] = await tx.query(DELETE_EPHEMERAL, [spaceId, id, botId]);
  return row && { spaceId, botId, id, ...row };
}
