import { Injectable } from '@nestjs/common';
import { CommitUnknown, Db, microBatch, runInTx } from '@tieline/platform/database';
import { traceparent } from '@tieline/platform/tracing';
import { uuidv7 } from 'uuidv7';
import { CreateMessage } from '../create-message.js';
import type { CreatedMessage, NewMessage } from '../create-message.js';
import type { MessageRefusal, Refusal } from '../../refusals.js';
import { mentionTokens } from '../mentions/mentions.js';
import { postBatch } from './post-many.js';
import type { SharedOutcome } from './post-many.js';
import { PostedMessages } from './posted-messages.js';
import type { MessageDraft } from './posted-messages.js';

/**
 * Maximum number of messages in one statement. Their conversations stay locked until it commits.
 */
const MAX_BATCH = 128;
/**
 * One statement at a time. While it waits for the disk, further messages gather for the next one.
 */
const MAX_IN_FLIGHT = 1;
/** The constraint that refuses a second message with the same id. */
const SAME_ID = 'messages_pkey';

/** Posts messages that are not part of a larger write. */
@Injectable()
export class PostMessage {
  private readonly postBatch: (draft: MessageDraft) => Promise<SharedOutcome>;
  private readonly posted: PostedMessages;

  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
  ) {
    this.posted = new PostedMessages(db);
    this.postBatch = microBatch((drafts: MessageDraft[]) => postBatch(db, drafts), {
      maxBatch: MAX_BATCH,
      maxInFlight: MAX_IN_FLIGHT,
    });
  }

  /**
   * Posts a message exactly once. Concurrent ordinary messages (no reply, no mention) share a
   * statement and a commit. Any other message has its own transaction and waits without a
   * connection for its turn in the conversation. If the connection is lost, the message is looked
   * up by its id, which is fixed from the beginning; it is never posted under another id.
   *
   * @returns the durable message, or why it was refused; then nothing was written
   * @throws the connection error if the message is not found afterwards
   */
  async run(message: NewMessage): Promise<CreatedMessage | Refusal<MessageRefusal>> {
    const { messageId = uuidv7(), eventId = uuidv7() } = message;
    const draft = { ...message, messageId, eventId, origin: traceparent() };
    if (!isOrdinary(draft)) return this.postSeparately(draft);
    const outcome = await this.postBatch(draft);
    // Refused, a thread reply, or the batch failed: retry alone to get this message's own result.
    if (outcome === 'not_posted') return this.postSeparately(draft);
    return 'posted' in outcome ? outcome.posted : this.resolve(draft, outcome.lost);
  }

  /** Returns whether a message is stored whose transaction lost its connection during COMMIT. */
  async isStored(spaceId: string, messageId: string): Promise<boolean> {
    return (await this.posted.resolve({ spaceId, messageId, eventId: '' })) !== undefined;
  }

  private async postSeparately(draft: MessageDraft): Promise<CreatedMessage | Refusal<MessageRefusal>> {
    const { spaceId, conversationId, parentMessageId } = draft;
    const place = parentMessageId ?? conversationId;
    try {
      return await runInTx(this.db, (tx) => this.createMessage.in(tx, draft), { spaceId, place });
    } catch (error) {
      if (error instanceof CommitUnknown || isStored(error)) return this.resolve(draft, error);
      throw error;
    }
  }

  private async resolve(draft: MessageDraft, error: unknown): Promise<CreatedMessage> {
    const found = await this.posted.resolve(draft);
    if (!found) throw error;
    return found;
  }
}

function isOrdinary({ parentMessageId, attachments, text }: NewMessage): boolean {
  return parentMessageId === undefined && attachments === undefined && mentionTokens(text).length === 0;
}

function isStored(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === SAME_ID;
}
