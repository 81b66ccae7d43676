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
 * Keeps an ephemeral message with buttons for as long as their tokens live, in the transaction that
 * signed them.
 */
export async function storeEphemeral(
  tx: Tx,
  { spaceId, id, conversationId, botId, userId, text, metadataJson }: EphemeralMessage,
  ttlSeconds: number,
): Promise<void> {
  const columns = [spaceId, id, conversationId, botId, userId, text, metadataJson, ttlSeconds];
  await tx.query(INSERT_EPHEMERAL, columns);
}

/**
 * An ephemeral message that this person was shown, as a message of its bot; undefined when it is
 * none or has expired.
 */
export async function findEphemeral(
  q: Queryable,
  spaceId: string,
  userId: string,
  id: string,
): Promise<Message | undefined> {
  const [row] = await q.query(FIND_EPHEMERAL, [spaceId, id, userId]);
  if (!row) return undefined;
  const { conversationId, botId, text, metadataJson, sentAt } = row;
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
    editedAt: null,
    deletedAt: null,
    reactions: null,
    pin: null,
  };
}

/** What a bot makes of its ephemeral message; what is absent stays, null removes the metadata. */
export interface EphemeralChange {
  text?: string | undefined;
  metadataJson?: string | null | undefined;
  /** Renews the tokens in metadata that stays. */
  renew?: ((metadataJson: string) => string) | undefined;
}

/**
 * Changes an ephemeral message of the bot. @returns it as it is now, or undefined when the bot has
 * none of this id
 */
export async function updateEphemeral(
  tx: Tx,
  { spaceId, botId, id }: Pick<EphemeralMessage, 'spaceId' | 'botId' | 'id'>,
  { text, metadataJson: given, renew }: EphemeralChange,
  ttlSeconds: number,
): Promise<EphemeralMessage | undefined> {
  const [kept] = given === undefined ? await tx.query(LOCK_EPHEMERAL, [spaceId, id, botId]) : [];
  const metadataJson = kept?.metadataJson ? renew?.(kept.metadataJson) : given;
  const [row] = await tx.query(UPDATE_EPHEMERAL, [
    spaceId,
    id,
    botId,
    text ?? null,
    metadataJson !== undefined,
    metadataJson ?? null,
    ttlSeconds,
  ]);
  return row && { spaceId, botId, id, ...row };
}

/**
 * Takes back an ephemeral message of the bot. @returns what it was, or undefined when the bot has
 * none of this id
 */
export async function deleteEphemeral(
  tx: Tx,
  { spaceId, botId, id }: Pick<EphemeralMessage, 'spaceId' | 'botId' | 'id'>,
): Promise<EphemeralMessage | undefined> {
  const [row] = await tx.query(DELETE_EPHEMERAL, [spaceId, id, botId]);
  return row && { spaceId, botId, id, ...row };
}
