import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { chatAccess, chatErrors } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import { ComponentSigner, InteractiveSettings, storeEphemeral, showEphemeral } from '@tieline/interactive';
import type { EphemeralMessage } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import { userIsNoMember } from '../bot-messages.errors.js';
import { inTxOnce } from '../in-tx-once.js';
import type { NewEphemeral } from './dto/ephemeral.dto.js';

/**
 * Shows a message to one member of a conversation, on their open streams. It is not in history and
 * emits no event. A message with buttons is stored until their tokens expire. A repeat with the
 * same key is not shown again.
 */
@Injectable()
export class SendEphemeral {
  constructor(
    private readonly db: Db,
    private readonly signer: ComponentSigner,
    private readonly live: LiveEvents,
    private readonly settings: InteractiveSettings,
  ) {}

  /**
   * @throws 400 the person is not a member, interactive blocks that cannot be delivered; 403 the
   * bot is not a member, archived; 409 a key that was used for another message
   */
  async run(
    bot: BotPrincipal,
    message: NewEphemeral,
    key: string | undefined,
  ): Promise<{ messageId: string }> {
    let stored: EphemeralMessage | undefined;
    const write = async (tx: Tx): Promise<{ messageId: string }> => {
      await requirePlaces(tx, bot, message);
      const metadataJson = message.metadata ? await this.signer.sign(tx, bot, message.metadata) : null;
      stored = ephemeralOf(bot, message, metadataJson);
      const isUsed = message.metadata?.isInteractive || message.hasElements;
      if (isUsed) await storeEphemeral(tx, stored, this.settings.tokenTtlSeconds);
      return { messageId: stored.id };
    };
    const request = { operation: 'ephemeral', key, meaning: message } as const;
    const sent = await inTxOnce(this.db, bot, request, write);
    if (stored?.id === sent.messageId) showEphemeral(this.live, stored);
    return sent;
  }
}

function ephemeralOf(
  { spaceId, botId }: BotPrincipal,
  { conversationId, userId, content, sourceJson }: NewEphemeral,
  metadataJson: string | null,
): EphemeralMessage {
  return {
    spaceId,
    id: uuidv7(),
    conversationId,
    botId,
    userId,
    text: content,
    metadataJson,
    sourceJson: sourceJson ?? null,
  };
}

async function requirePlaces(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { conversationId, userId }: NewEphemeral,
): Promise<void> {
  const { conversation, refused } = await chatAccess.sending(tx, {
    spaceId,
    conversationId,
    author: { id: botId },
  });
  if (refused) throw chatErrors.botRefused(refused);
  const [person] = await findActiveUsers(tx, spaceId, [userId]);
  if (person === undefined || !(await chatAccess.isMember(tx, spaceId, conversation.channelId, userId)))
    throw userIsNoMember();
}
