import { v7 as uuidv7 } from 'uuid';
import { isMember, sendingAccess } from '@tieline/conversations';
import type { LiveEvents, SendingRefusal } from '@tieline/conversations';
import { storeEphemeral, showEphemeral } from '@tieline/interactive';
import type { ComponentSigner, EphemeralMessage } from '@tieline/interactive';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import { botNotInConversation, conversationIsArchived, userIsNoMember } from '../bot-messages.errors.js';
import { inTxOnce } from '../in-tx-once.js';
import type { NewEphemeral } from './dto/ephemeral.dto.js';

const REFUSALS: Readonly<Record<SendingRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
};

/** Services needed to send an ephemeral message. */
export interface EphemeralParts {
  signer: ComponentSigner;
  live: LiveEvents;
  /** INTERACTIVE_TOKEN_TTL_SECONDS: lifetime of its buttons. */
  ttlSeconds: number;
}

/**
 * Shows a message to one member of a conversation, on their open streams. It is not in history and
 * emits no event. A message with buttons is stored until their tokens expire. A repeat with the
 * same key is not shown again.
 * @throws 400 the person is not a member, interactive blocks that cannot be delivered; 403 the bot
 * is not a member, archived; 409 a key that was used for another message
 */
export async function sendEphemeral(
  db: Db,
  { signer, live, ttlSeconds }: EphemeralParts,
  bot: BotPrincipal,
  message: NewEphemeral,
  key: string | undefined,
): Promise<{ messageId: string }> {
  let stored: EphemeralMessage | undefined;
  const write = async (tx: Tx): Promise<{ messageId: string }> => {
    await requirePlaces(tx, bot, message);
    const metadataJson = message.metadata ? await signer.sign(tx, bot, message.metadata) : null;
    stored = ephemeralOf(bot, message, metadataJson);
    if (message.metadata?.isInteractive) await storeEphemeral(tx, stored, ttlSeconds);
    return { messageId: stored.id };
  };
  const request = { operation: 'ephemeral', key, meaning: message } as const;
  const sent = await inTxOnce(db, bot, request, write);
  if (stored?.id === sent.messageId) showEphemeral(live, stored);
  return sent;
}

function ephemeralOf(
  { spaceId, botId }: BotPrincipal,
  { conversationId, userId, content }: NewEphemeral,
  metadataJson: string | null,
): EphemeralMessage {
  return { spaceId, id: uuidv7(), conversationId, botId, userId, text: content, metadataJson };
}

async function requirePlaces(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { conversationId, userId }: NewEphemeral,
): Promise<void> {
  const { conversation, refused } = await sendingAccess(tx, {
    spaceId,
    conversationId,
    author: { id: botId },
  });
  if (refused) throw REFUSALS[refused]();
  const [person] = await findActiveUsers(tx, spaceId, [userId]);
  if (person === undefined || !(await isMember(tx, spaceId, conversation.channelId, userId)))
    throw userIsNoMember();
}
