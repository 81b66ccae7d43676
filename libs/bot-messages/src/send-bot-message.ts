import { v7 as uuidv7 } from 'uuid';
import { createMessage, postMessage } from '@tieline/conversations';
import type {
  AttachmentStatus,
  Attachments,
  CreatedMessage,
  MessageRefusal,
  NewMessage,
  Refused,
} from '@tieline/conversations';
import type { FoundFiles } from '@tieline/files';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
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
  /** What the store said of the message's files; it can't be asked inside a transaction. */
  found?: FoundFiles;
}

const REFUSALS: Readonly<Record<MessageRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
  unknown_parent: parentNotFound,
};

/**
 * Posts a bot's message that nothing else is written with (contract, Messages). An ordinary one is a single statement;
 * interactive blocks and files are written with theirs in one transaction.
 * @throws what {@link sendBotMessage} throws
 */
export async function postBotMessage(
  db: Db,
  parts: MessageParts,
  bot: BotPrincipal,
  message: NewBotMessage,
): Promise<SentMessage> {
  if (message.metadata?.isInteractive || message.fileIds.length > 0)
    return runInTx(db, (tx) => sendBotMessage(tx, parts, bot, message));
  return {
    messageId: created(
      await postMessage(db, chatMessage(bot, message, { metadataJson: message.metadata?.json })),
    ).messageId,
  };
}

/**
 * Posts a bot's message inside the caller's transaction.
 * @throws 400 a parent that is no message there, interactive blocks that cannot be delivered; 403 no member, archived,
 *   files that are not the bot's
 */
export async function sendBotMessage(
  tx: Tx,
  { metadata, files, found }: MessageParts,
  bot: BotPrincipal,
  message: NewBotMessage,
): Promise<SentMessage> {
  const { conversationId, parentMessageId, fileIds } = message;
  const messageId = uuidv7();
  const metadataJson = message.metadata?.isInteractive
    ? await metadata.prepare(tx, bot, message.metadata)
    : message.metadata?.json;
  const attachments =
    fileIds.length > 0
      ? await files.attach(tx, bot, { conversationId, parentMessageId, messageId, fileIds, found })
      : undefined;
  created(await createMessage(tx, chatMessage(bot, message, { messageId, metadataJson, attachments })));
  return { messageId, ...(attachments && { attachmentStatus: attachments.status }) };
}

/** What is decided beside the request's own fields. */
interface Decided {
  messageId?: string;
  metadataJson: string | undefined;
  attachments?: Attachments;
}

function chatMessage(bot: BotPrincipal, message: NewBotMessage, decided: Decided): NewMessage {
  const { conversationId, content, parentMessageId, displayName, displayAvatarUrl } = message;
  const author = { id: bot.botId, type: 'bot' } as const;
  return {
    spaceId: bot.spaceId,
    conversationId,
    author,
    text: content,
    parentMessageId,
    displayName,
    displayAvatarUrl,
    ...decided,
  };
}

/** Lets a posted message through. @throws what a bot is told where it was refused */
export function created(answer: CreatedMessage | Refused<MessageRefusal>): CreatedMessage {
  if (isRefused(answer)) throw REFUSALS[answer.refused]();
  return answer;
}

function isRefused(answer: CreatedMessage | Refused<MessageRefusal>): answer is Refused<MessageRefusal> {
  return 'refused' in answer;
}
