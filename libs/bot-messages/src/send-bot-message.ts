import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { chatErrors, CreateMessage, PostMessage } from '@tieline/conversations';
import type {
  AttachmentStatus,
  Attachments,
  CreatedMessage,
  MessageRefusal,
  NewMessage,
  Refusal,
} from '@tieline/conversations';
import type { FileLookupResult } from '@tieline/files';
import { ComponentSigner } from '@tieline/interactive';
import { CommitUnknown, Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { inTxOnce } from './in-tx-once.js';
import type { NewBotMessage } from './dto/message-body.js';
import { MessageFiles } from './message-files.js';

/** What the sender receives. */
export interface SentMessage {
  messageId: string;
  /** Absent in the stored result of a repeat. RFC 3339, UTC, nine fractional digits. */
  sentAt?: string;
  /** Set only for messages with files. */
  attachmentStatus?: AttachmentStatus;
}

/**
 * Posts a bot's message. An ordinary message is a single statement. Interactive blocks, files and
 * an idempotency key are written together with the message in one transaction.
 */
@Injectable()
export class SendBotMessage {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly postMessage: PostMessage,
    private readonly signer: ComponentSigner,
    private readonly files: MessageFiles,
  ) {}

  /**
   * @throws 400 a parent that is not a message there, interactive blocks that cannot be delivered;
   * 403 not a member, archived, files of others; 409 a key that was used for another message
   */
  async run(bot: BotPrincipal, message: NewBotMessage, key: string | undefined): Promise<SentMessage> {
    const { metadata, fileIds } = message;
    if (key === undefined && !metadata?.isInteractive && fileIds.length === 0)
      return this.postOrdinary(bot, message);
    // Before the transaction: file storage must not be called inside one.
    const found = fileIds.length > 0 ? await this.files.lookUp(bot, fileIds) : undefined;
    let sent: SentMessage | undefined;
    const write = async (tx: Tx): Promise<SentMessage> =>
      (sent = await this.postWithParts(tx, bot, message, found));
    const place = message.parentMessageId ?? message.conversationId;
    const request = { operation: 'send', key, meaning: message } as const;
    return inTxOnce(this.db, bot, request, write, place).catch((error: unknown) =>
      requireStored(this.postMessage, bot, sent, error),
    );
  }

  private async postOrdinary(bot: BotPrincipal, message: NewBotMessage): Promise<SentMessage> {
    const chat = chatMessage(bot, message, { metadataJson: message.metadata?.json });
    const { messageId, sentAt } = requirePosted(await this.postMessage.run(chat));
    return { messageId, sentAt };
  }

  /** Writes files and tokens before the conversation is locked. */
  private async postWithParts(
    tx: Tx,
    bot: BotPrincipal,
    message: NewBotMessage,
    found: FileLookupResult | undefined,
  ): Promise<SentMessage> {
    const { conversationId, parentMessageId, fileIds } = message;
    const messageId = uuidv7();
    const metadataJson = message.metadata && (await this.signer.sign(tx, bot, message.metadata));
    const attachments =
      fileIds.length > 0
        ? await this.files.attach(tx, bot, { conversationId, parentMessageId, messageId, fileIds, found })
        : undefined;
    const chat = chatMessage(bot, message, { messageId, metadataJson, attachments });
    const { sentAt } = requirePosted(await this.createMessage.in(tx, chat));
    return { messageId, sentAt, ...(attachments && { attachmentStatus: attachments.status }) };
  }
}

/** Fields that are not part of the request. */
interface ResolvedFields {
  messageId?: string;
  metadataJson: string | undefined;
  attachments?: Attachments;
}

function chatMessage(bot: BotPrincipal, message: NewBotMessage, decided: ResolvedFields): NewMessage {
  const { conversationId, content, parentMessageId, displayName, displayAvatarUrl } = message;
  const { textDerived, sourceJson } = message;
  const author = { id: bot.botId, type: 'bot' } as const;
  return {
    spaceId: bot.spaceId,
    conversationId,
    author,
    text: content,
    parentMessageId,
    displayName,
    displayAvatarUrl,
    ...(textDerived && { textDerived }),
    ...(sourceJson !== undefined && { sourceJson }),
    ...decided,
  };
}

/** Returns the posted message. @throws the error of a refusal */
export function requirePosted(answer: CreatedMessage | Refusal<MessageRefusal>): CreatedMessage {
  if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
  return answer;
}

/**
 * Returns a message whose transaction failed with `error` if it is stored, because only the result
 * of its COMMIT was lost.
 * @throws `error` otherwise
 */
export async function requireStored(
  postMessage: PostMessage,
  { spaceId }: BotPrincipal,
  sent: SentMessage | undefined,
  error: unknown,
): Promise<SentMessage> {
  if (error instanceof CommitUnknown && sent && (await postMessage.isStored(spaceId, sent.messageId)))
    return sent;
  throw error;
}
