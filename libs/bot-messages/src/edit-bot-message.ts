import { editMessage, findMessage } from '@tieline/conversations';
import type { EditRefusal } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { messageBelongsToRun, messageDeleted, messageNotFound, notTheAuthor } from './bot-messages.errors.js';
import type { BotMessageText } from './message-body.js';
import type { MessageMetadata } from './message-metadata.js';

const REFUSALS: Readonly<Record<EditRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_author: notTheAuthor,
  not_member: notTheAuthor,
  deleted: messageDeleted,
  guarded: messageBelongsToRun,
};

/** The conversation of a message, whose rate an edit counts against. @throws 404 unknown or of another space */
export async function conversationOfMessage(
  db: Db,
  { spaceId }: BotPrincipal,
  messageId: string,
): Promise<string> {
  const message = await findMessage(db, spaceId, messageId);
  if (!message) throw messageNotFound();
  return message.conversationId;
}

/**
 * Replaces text and metadata of the bot's own message (contract, Messages); no metadata clears what there was.
 * @throws 404 unknown or of another space; 403 another author's; 409 the placeholder of a run that works; 410 deleted; 400 interactive blocks that cannot be delivered
 */
export async function editBotMessage(
  db: Db,
  metadata: MessageMetadata,
  bot: BotPrincipal,
  messageId: string,
  text: BotMessageText,
): Promise<void> {
  await runInTx(db, async (tx) => {
    const metadataJson = text.metadata?.isInteractive
      ? await metadata.prepare(tx, bot, text.metadata)
      : (text.metadata?.json ?? null);
    const editor = { id: bot.botId, type: 'bot' } as const;
    const answer = await editMessage(tx, {
      spaceId: bot.spaceId,
      messageId,
      editor,
      text: text.content,
      metadataJson,
    });
    if ('refused' in answer) throw REFUSALS[answer.refused]();
  });
}
