import { tooManyPins } from '@tieline/conversations';
import type { PinMessage, PinRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import {
  botNotInConversation,
  conversationIsArchived,
  messageDeleted,
  messageNotFound,
} from '../bot-messages.errors.js';

const REFUSALS: Readonly<Record<PinRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
  deleted: messageDeleted,
  too_many_pins: tooManyPins,
};

/**
 * Pins or unpins a message for the bot, no matter who pinned it. Repeating succeeds and emits no
 * event.
 * @throws 404 unknown or of another space; 403 the bot is not a member, or the conversation is
 * archived; 410 deleted; 409 the conversation already has 100 pins
 */
export async function pinAsBot(
  db: Db,
  pinMessage: PinMessage,
  change: 'pin' | 'unpin',
  { spaceId, botId }: BotPrincipal,
  messageId: string,
): Promise<void> {
  const pinning = { spaceId, messageId, actor: { id: botId, type: 'bot' as const } };
  await runInTx(
    db,
    async (tx) => {
      const answer = await pinMessage.in(tx, change, pinning);
      if ('refused' in answer) throw REFUSALS[answer.refused]();
    },
    { spaceId, place: messageId },
  );
}
