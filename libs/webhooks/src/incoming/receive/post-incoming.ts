import { createHash } from 'node:crypto';
import type { CreateMessage, EditMessage, PostMessage } from '@tieline/conversations';
import type { Db, Tx } from '@tieline/platform/database';
import { inTxOnce } from '@tieline/idempotency';
import { v7 as uuidv7 } from 'uuid';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { isKeyed, postKeyed } from '../keyed/post-keyed.js';
import { chatMessage, postedId } from './chat-message.js';
import type { FoundWebhook } from './find-by-token.js';

/** What messages are posted with. */
export interface PostingTools {
  db: Db;
  createMessage: CreateMessage;
  postMessage: PostMessage;
  editMessage: EditMessage;
}

/** An `Idempotency-Key` with the bytes that it stands for. */
export interface IncomingKey {
  key: string;
  body: Buffer;
}

/**
 * Posts a webhook's message into its channel (contract, Incoming webhook), or edits the one that
 * stands for it (decisions, section 11.2). With a key, the same bytes within 24 hours make no
 * second message.
 *
 * @returns the id of the message, durable, or of the first one under the key; undefined where none
 * was posted, see {@link postKeyed}
 * @throws Rejected 400 when the channel is archived or gone; ApiError 400 for a malformed key, 409
 * for a key of another body
 */
export async function postIncoming(
  tools: PostingTools,
  webhook: FoundWebhook,
  message: IncomingMessage,
  key?: IncomingKey,
): Promise<string | undefined> {
  if (key === undefined && !isKeyed(message))
    return postedId(await tools.postMessage.run(chatMessage(webhook, message)));
  const { spaceId, id, conversationId: place } = webhook;
  // Without a key of the sender's, one of ours: when the connection is lost during COMMIT, it tells
  // what came of it.
  const request = key
    ? { scope: `incoming:${id}`, key: key.key, fingerprint: createHash('sha256').update(key.body).digest() }
    : { scope: `incoming-keyed:${id}`, key: uuidv7(), fingerprint: Buffer.alloc(0) };
  const post = async (tx: Tx): Promise<{ messageId: string | undefined }> => ({
    messageId: await postKeyed(tx, tools, webhook, message),
  });
  return (await inTxOnce(tools.db, { spaceId, ...request }, post, { spaceId, place })).messageId;
}
