import { findMessage } from '@tieline/conversations';
import type {
  CreatedMessage,
  CreateMessage,
  MessageRefusal,
  NewMessage,
  Refusal,
} from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { BEGIN_THREAD_ANEW, TAKE_THREAD } from './keyed.statements.js';

/** A webhook's key. */
export interface SenderKey {
  spaceId: string;
  webhookId: string;
  key: string;
}

/**
 * Posts a message into the thread of the first message of its key (decisions, section 11.2); begins
 * a new one where that message is deleted, or the webhook posts into another channel now. Holds the
 * key until the end of the transaction.
 */
export async function postInThread(
  tx: Tx,
  createMessage: CreateMessage,
  message: NewMessage,
  { spaceId, webhookId, key }: SenderKey,
): Promise<CreatedMessage | Refusal<MessageRefusal>> {
  const messageId = message.messageId ?? uuidv7();
  const [thread] = await tx.query(TAKE_THREAD, [spaceId, webhookId, key, messageId]);
  const root = thread?.rootMessageId;
  if (root !== undefined && root !== messageId) {
    if (await isStanding(tx, message, root))
      return createMessage.in(tx, { ...message, messageId, parentMessageId: root });
    await tx.query(BEGIN_THREAD_ANEW, [spaceId, webhookId, key, messageId]);
  }
  return createMessage.in(tx, { ...message, messageId });
}

async function isStanding(tx: Tx, { spaceId, conversationId }: NewMessage, root: string): Promise<boolean> {
  const found = await findMessage(tx, spaceId, root);
  return found !== undefined && found.deletedAt === null && found.conversationId === conversationId;
}
