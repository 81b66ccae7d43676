import type { EditMessage, EditRefusal } from '@tieline/conversations';
import type { ComponentSigner } from '@tieline/interactive';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import {
  botNotInConversation,
  messageBelongsToRun,
  messageDeleted,
  messageNotFound,
  notTheAuthor,
} from './bot-messages.errors.js';
import type { BotMessageText } from './dto/message-body.js';

const REFUSALS: Readonly<Record<EditRefusal, () => ApiError>> = {
  unknown_message: messageNotFound,
  not_author: notTheAuthor,
  not_member: botNotInConversation,
  deleted: messageDeleted,
  guarded: messageBelongsToRun,
};

/** Services needed to edit a message. */
export interface EditParts {
  editMessage: EditMessage;
  signer: ComponentSigner;
}

/**
 * Replaces text and metadata of the bot's own message. Absent metadata clears the existing metadata
 * (docs/bots.md#edit-a-message).
 * @throws 404 unknown or of another space; 403 another author's, or the bot is not a member; 409
 * the placeholder of an unfinished run; 410 deleted; 400 interactive blocks that cannot be
 * delivered
 */
export async function editBotMessage(
  db: Db,
  { editMessage, signer }: EditParts,
  bot: BotPrincipal,
  messageId: string,
  { content, metadata }: BotMessageText,
): Promise<void> {
  const { spaceId, botId } = bot;
  const edit = async (tx: Tx): Promise<void> => {
    const metadataJson = metadata ? await signer.sign(tx, bot, metadata) : null;
    const editor = { id: botId, type: 'bot' } as const;
    const answer = await editMessage.in(tx, { spaceId, messageId, editor, text: content, metadataJson });
    if ('refused' in answer) throw REFUSALS[answer.refused]();
  };
  await runInTx(db, edit, { spaceId, place: messageId });
}
