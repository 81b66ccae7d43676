import { v7 as uuidv7 } from 'uuid';
import type {
  AttachmentStatus,
  Attachments,
  CreatedMessage,
  CreateMessage,
  MessageRefusal,
  NewMessage,
  PostMessage,
  Refusal,
} from '@tieline/conversations';
import type { FileLookupResult } from '@tieline/files';
import type { ComponentSigner } from '@tieline/interactive';
import { CommitUnknown } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { botNotInConversation, conversationIsArchived, parentNotFound } from './bot-messages.errors.js';
import { inTxOnce } from './in-tx-once.js';
import type { NewBotMessage } from './dto/message-body.js';
import type { MessageFiles } from './message-files.js';

/** What the sender receives. */
export interface SentMessage {
  messageId: string;
  /** Set only for messages with files. */
  attachmentStatus?: AttachmentStatus;
}

/** Services needed to post a message. */
export interface MessageParts {
  createMessage: CreateMessage;
  postMessage: PostMessage;
  signer: ComponentSigner;
  files: MessageFiles;
}

const REFUSALS: Readonly<Record<MessageRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
  unknown_parent: parentNotFound,
};

/**
 * Posts a bot's message. An ordinary message is a single statement. Interactive blocks, files and
 * an idempotency key are written together with the message in one transaction.
 * @throws 400 a parent that is not a message there, interactive blocks that cannot be delivered;
 * 403 not a member, archived, files of others; 409 a key that was used for another message
 */
export async function sendBotMessage(
  db: Db,
  parts: MessageParts,
  bot: BotPrincipal,
  message: NewBotMessage,
  key: string | undefined,
): Promise<SentMessage> {
  if (key === undefined && !message.metadata?.isInteractive && message.fileIds.length === 0)
    return postOrdinary(parts.postMessage, bot, message);
  // Before the transaction: file storage must not be called inside one.
  const found = message.fileIds.length > 0 ? await parts.files.lookUp(bot, message.fileIds) : undefined;
  let sent: SentMessage | undefined;
  const write = async (tx: Tx): Promise<SentMessage> =>
    (sent = await postWithParts(tx, parts, bot, message, found));
  const place = message.parentMessageId ?? message.conversationId;
  const request = { operation: 'send', key, meaning: message } as const;
  return inTxOnce(db, bot, request, write, place).catch(async (error: unknown) => {
    if (!(error instanceof CommitUnknown) || !sent) throw error;
    if (await parts.postMessage.isStored(bot.spaceId, sent.messageId)) return sent;
    throw error;
  });
}

async function postOrdinary(
  postMessage: PostMessage,
  bot: BotPrincipal,
  message: NewBotMessage,
): Promise<SentMessage> {
  const answer = await postMessage.run(chatMessage(bot, message, { metadataJson: message.metadata?.json }));
  return { messageId: requirePosted(answer).messageId };
}

/** Writes files and tokens before the conversation is locked. */
async function postWithParts(
  tx: Tx,
  { createMessage, signer, files }: MessageParts,
  bot: BotPrincipal,
  message: NewBotMessage,
  found: FileLookupResult | undefined,
): Promise<SentMessage> {
  const { conversationId, parentMessageId, fileIds } = message;
  const messageId = uuidv7();
  const metadataJson = message.metadata && (await signer.sign(tx, bot, message.metadata));
  const attachments =
    fileIds.length > 0
      ? await files.attach(tx, bot, { conversationId, parentMessageId, messageId, fileIds, found })
      : undefined;
  requirePosted(
    await createMessage.in(tx, chatMessage(bot, message, { messageId, metadataJson, attachments })),
  );
  return { messageId, ...(attachments && { attachmentStatus: attachments.status }) };
}

/** Fields that are not part of the request. */
interface ResolvedFields {
  messageId?: string;
  metadataJson: string | undefined;
  attachments?: Attachments;
}

function chatMessage(bot: BotPrincipal, message: NewBotMessage, decided: ResolvedFields): NewMessage {
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

/**
 * Returns the posted message.
 * @throws the error of a refusal
 */
export function requirePosted(answer: CreatedMessage | Refusal<MessageRefusal>): CreatedMessage {
  if (isRefused(answer)) throw REFUSALS[answer.refused]();
  return answer;
}

function isRefused(answer: CreatedMessage | Refusal<MessageRefusal>): answer is Refusal<MessageRefusal> {
  return 'refused' in answer;
}
