import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PostMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { findAnswer, inTxOnce, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import { uuidv7 } from 'uuidv7';
import type { IncomingMessage } from '../message/incoming-message.js';
import { isKeyed, PostKeyed } from '../keyed/post-keyed.js';
import { chatMessage, postedId } from './chat-message.js';
import type { FoundWebhook } from './find-by-token.js';

/** An `Idempotency-Key` and the body it was sent with. */
export interface IncomingKey {
  key: string;
  body: Buffer;
}

/** What is fixed before a message is posted. */
interface Fixed {
  key?: IncomingKey | undefined;
  /** Id for a new message without any key. Default: a new one. */
  messageId?: string | undefined;
}

/** The message of a request. Undefined if none was posted, see {@link PostKeyed}. */
export interface PostedIncoming {
  messageId: string | undefined;
  /** Whether the message comes from an earlier request with the same key. */
  isRepeat: boolean;
}

/** Posts messages of webhooks. */
@Injectable()
export class PostIncoming {
  constructor(
    private readonly db: Db,
    private readonly postMessage: PostMessage,
    private readonly postKeyed: PostKeyed,
  ) {}

  /**
   * Posts a webhook's message into its channel, or edits the open message of its `dedup_key`. With
   * an idempotency key, the same body within 24 hours posts no second message.
   * @returns the id of the committed message, or of the first one with the key. Undefined if none
   * was posted, see {@link PostKeyed}.
   * @throws RejectedRequest 400 when the channel is archived or deleted.
   * @throws ApiError 400 for a malformed key, 409 for a key used with another body.
   */
  async run(
    webhook: FoundWebhook,
    message: IncomingMessage,
    { key, messageId }: Fixed = {},
  ): Promise<PostedIncoming> {
    if (key === undefined && !isKeyed(message)) {
      const chat = { ...chatMessage(webhook, message), ...(messageId !== undefined && { messageId }) };
      return { messageId: postedId(await this.postMessage.run(chat)), isRepeat: false };
    }
    const { spaceId, id, conversationId: place } = webhook;
    // Without the sender's key, use a random one: it tells whether the transaction committed if the
    // connection is lost during COMMIT.
    const request = key
      ? keyedRequest(webhook, key)
      : { spaceId, scope: `incoming-keyed:${id}`, key: uuidv7(), fingerprint: Buffer.alloc(0) };
    const post = async (tx: Tx): Promise<StoredAnswer> => ({
      messageId: await this.postKeyed.in(tx, webhook, message),
    });
    const answer = await inTxOnce(this.db, request, post, { spaceId, place });
    return { messageId: answer.messageId, isRepeat: isRepeated(answer) };
  }
}

/**
 * Returns the message of an earlier request with the same key and body, or undefined if there is
 * none.
 * @throws ApiError 400 for a malformed key, 409 for a key used with another body.
 */
export async function findRepeat(
  db: Db,
  webhook: FoundWebhook,
  key: IncomingKey,
): Promise<PostedIncoming | undefined> {
  const answer = await findAnswer<StoredAnswer>(db, keyedRequest(webhook, key));
  return answer && { messageId: answer.messageId, isRepeat: true };
}

/** The result stored for a key. */
interface StoredAnswer {
  messageId: string | undefined;
}

function keyedRequest({ spaceId, id }: FoundWebhook, { key, body }: IncomingKey): IdempotentRequest {
  const fingerprint = createHash('sha256').update(body).digest();
  return { spaceId, scope: `incoming:${id}`, key, fingerprint };
}
