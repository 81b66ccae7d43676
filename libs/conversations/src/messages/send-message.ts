import { Injectable } from '@nestjs/common';
import { findAnswer, fingerprint, inTxOnce, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { Repeats } from '@tieline/rate-limit';
import { CommitUnknown, Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { sendingAccess } from '../access/sending-access.js';
import { throwIfRefused } from '../conversations.errors.js';
import type { AttachmentStatus } from '../events/shown-message.js';
import { FilesOfPeople } from '../ports/files-of-people.js';
import type { BindFiles } from '../ports/files-of-people.js';
import { CreateMessage } from './create-message.js';
import type { CreatedMessage, NewMessage } from './create-message.js';
import { PostMessage } from './posting/post-message.js';

/** What the sender receives. */
export interface PostedPersonMessage extends Pick<CreatedMessage, 'messageId' | 'msgIndex'> {
  /** Set only for messages with files. */
  attachmentStatus?: AttachmentStatus;
}

/** A message with its files and idempotency key. */
export interface PersonMessage extends NewMessage {
  fileIds: readonly string[];
  /** Idempotency key: a repeat within 24 hours returns the first result. */
  key: string | undefined;
}

/** Posts messages of people. */
@Injectable()
export class SendMessage {
  constructor(
    private readonly db: Db,
    private readonly postMessage: PostMessage,
    private readonly createMessage: CreateMessage,
    private readonly files: FilesOfPeople,
  ) {}

  /**
   * Posts a message. A message without files and key shares one statement with concurrent messages.
   * Otherwise the message, its files and the key are written in one transaction.
   * @throws the error of a refusal; 403 and 400 for files that cannot be attached; 400 for a
   * malformed key; 409 for one that was used for another message
   */
  async run(message: PersonMessage): Promise<PostedPersonMessage> {
    const { spaceId, author, conversationId, parentMessageId, fileIds, key } = message;
    if (key === undefined && fileIds.length === 0) return throwIfRefused(await this.postMessage.run(message));
    // Before the transaction: file storage must not be called inside one.
    const bind =
      fileIds.length > 0 ? await this.files.prepare({ spaceId, userId: author.id }, fileIds) : undefined;
    let posted: PostedPersonMessage | undefined;
    const write = async (tx: Tx): Promise<PostedPersonMessage> =>
      (posted = await this.postInTx(tx, message, bind));
    const where = { spaceId, place: parentMessageId ?? conversationId };
    const request = keyedRequest(message);
    if (request) return inTxOnce(this.db, request, write, where);
    return runInTx(this.db, write, where).catch(async (error: unknown) => {
      if (!(error instanceof CommitUnknown) || !posted) throw error;
      if (await this.postMessage.isStored(spaceId, posted.messageId)) return posted;
      throw error;
    });
  }

  /** Returns how to find a repeat of a message. Repeats are not charged. */
  repeatOf(message: PersonMessage): Repeats<PostedPersonMessage> {
    const request = keyedRequest(message);
    return request
      ? { findRepeat: () => findAnswer<PostedPersonMessage>(this.db, request), isRepeat: isRepeated }
      : {};
  }

  /**
   * Attaches files before the conversation is locked, and only if the person may write there.
   * Others learn nothing about the files.
   */
  private async postInTx(
    tx: Tx,
    message: PersonMessage,
    bind: BindFiles | undefined,
  ): Promise<PostedPersonMessage> {
    const withId = { ...message, messageId: uuidv7() };
    if (bind) throwIfRefused(await sendingAccess(tx, message));
    const attachments = bind && (await bind(tx, withId));
    const { messageId, msgIndex } = throwIfRefused(
      await this.createMessage.in(tx, { ...withId, ...(attachments && { attachments }) }),
    );
    return { messageId, msgIndex, ...(attachments && { attachmentStatus: attachments.status }) };
  }
}

function keyedRequest(message: PersonMessage): IdempotentRequest | undefined {
  const { spaceId, author, conversationId, parentMessageId, text, fileIds, key } = message;
  if (key === undefined) return undefined;
  const meaning = { conversationId, parentMessageId, text, ...(fileIds.length > 0 && { fileIds }) };
  return { spaceId, key, scope: `messages-of-people:${author.id}`, fingerprint: fingerprint(meaning) };
}
