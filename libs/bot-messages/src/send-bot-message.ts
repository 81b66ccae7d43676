import { v7 as uuidv7 } from 'uuid';
import { createMessage } from '@tieline/conversations';
import type { AttachmentStatus, Attachments, CreatedMessage, MessageRefusal, Refused } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { botNotInConversation, conversationIsArchived, parentNotFound } from './bot-messages.errors.js';
import type { NewBotMessage } from './message-body.js';
import type { MessageFiles } from './message-files.js';
import type { MessageMetadata } from './message-metadata.js';

/** What the sender is told. */
export interface SentMessage {
  messageId: string;
  /** Only when files were given. */
  attachmentStatus?: AttachmentStatus;
}

/** What may have a say in a message beside the chat core. */
export interface MessageParts {
  metadata: MessageMetadata;
  files: MessageFiles;
}

const REFUSALS: Readonly<Record<MessageRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
  unknown_parent: parentNotFound,
};

/**
 * Posts a bot's message (contract, Messages). An ordinary one is a single statement, which travels with BEGIN.
 * @throws 400 a parent that is no message there, interactive blocks that cannot be delivered; 403 no member, archived,
 *   files that are not the bot's
 */
export async function sendBotMessage(tx: Tx, { metadata, files }: MessageParts, bot: BotPrincipal, message: NewBotMessage): Promise<SentMessage> {
  const { conversationId, content, parentMessageId, displayName, displayAvatarUrl } = message;
  const messageId = uuidv7();
  const metadataJson = message.metadata?.isInteractive ? await metadata.prepare(tx, bot, message.metadata) : message.metadata?.json;
  let attachments: Attachments | undefined;
  if (message.fileIds.length > 0) attachments = await files.attach(tx, bot, { conversationId, messageId, fileIds: message.fileIds });
  const author = { id: bot.botId, type: 'bot' } as const;
  const created = await createMessage(tx, {
    spaceId: bot.spaceId, conversationId, author, text: content, parentMessageId, metadataJson, displayName, displayAvatarUrl, messageId, attachments,
  });
  if (isRefused(created)) throw REFUSALS[created.refused]();
  return { messageId, ...(attachments && { attachmentStatus: attachments.status }) };
}

function isRefused(answer: CreatedMessage | Refused<MessageRefusal>): answer is Refused<MessageRefusal> {
  return 'refused' in answer;
}
