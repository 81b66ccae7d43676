import { reactToMessage, tooManyReactions } from '@tieline/conversations';
import type { ReactionRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import {
  botNotInConversation,
  conversationIsArchived,
  messageDeleted,
  messageNotFound,
} from '../bot-messages.errors.js';

const REFUSALS: Readonly<Record<ReactionRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
  deleted: messageDeleted,
  too_many_reactions: tooManyReactions,
};

/**
 * Adds or removes the bot's reaction to a message. Repeating succeeds and emits no event.
 * @throws 404 unknown or of another space; 403 the bot is not a member, or the conversation is
 * archived; 410 deleted; 400 the message already has 50 other emoji
 */
export async function reactAsBot(
  db: Db,
  change: 'add' | 'remove',
  { spaceId, botId }: BotPrincipal,
  { messageId, emoji }: { messageId: string; emoji: string },
): Promise<void> {
  const reaction = { spaceId, messageId, actor: { id: botId, type: 'bot' as const }, emoji };
  await runInTx(
    db,
    async (tx) => {
      const answer = await reactToMessage(tx, change, reaction);
      if ('refused' in answer) throw REFUSALS[answer.refused]();
    },
    { spaceId, place: messageId },
  );
}
