import type { DeleteMessage, DeletionRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import {
  botNotInConversation,
  messageBelongsToRun,
  messageDeleted,
  messageNotFound,
  notTheAuthor,
} from '../bot-messages.errors.js';

const REFUSALS: Readonly<Record<DeletionRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_author: notTheAuthor,
  not_member: botNotInConversation,
  deleted: messageDeleted,
  guarded: messageBelongsToRun,
};

/**
 * Deletes the bot's own message.
 * @throws 404 unknown or of another space; 403 another author's, or the bot is not a member; 410
 * already deleted; 409 the placeholder of an unfinished run
 */
export async function deleteBotMessage(
  db: Db,
  deleteMessage: DeleteMessage,
  { spaceId, botId }: BotPrincipal,
  messageId: string,
): Promise<void> {
  const deletion = { spaceId, messageId, actor: { id: botId, type: 'bot' as const } };
  await runInTx(
    db,
    async (tx) => {
      const answer = await deleteMessage.in(tx, deletion);
      if (answer) throw REFUSALS[answer.refused]();
    },
    { spaceId, place: messageId },
  );
}
