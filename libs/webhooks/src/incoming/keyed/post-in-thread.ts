import { findMessage } from '@tieline/conversations';
import type {
  CreatedMessage,
  CreateMessage,
  MessageRefusal,
  NewMessage,
  Refusal,
} from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { RESTART_THREAD, LOCK_THREAD } from './keyed.statements.js';

/** A key that the sender of a webhook uses for a thread. */
export interface SenderKey {
  spaceId: string;
  webhookId: string;
  key: string;
}

/**
 * Posts a message into the thread of its key. Starts a new thread if the first message was deleted
 * or the webhook now posts to another channel. Locks the key until the end of the transaction.
 */
export async function postInThread(
  tx: Tx,
  createMessage: CreateMessage,
  message: NewMessage,
  sender: SenderKey,
): Promise<CreatedMessage | Refusal<MessageRefusal>> {
  const messageId = message.messageId ?? uuidv7();
  const [thread] = await tx.query(LOCK_THREAD, { ...sender, messageId });
  const root = thread?.rootMessageId;
  if (root !== undefined && root !== messageId) {
    if (await threadIsUsable(tx, message, root))
      return createMessage.in(tx, { ...message, messageId, parentMessageId: root });
    await tx.query(RESTART_THREAD, { ...sender, messageId });
  }
  return createMessage.in(tx, { ...message, messageId });
}

async function threadIsUsable(
  tx: Tx,
  { spaceId, conversationId }: NewMessage,
  root: string,
): Promise<boolean> {
  const found = await findMessage(tx, spaceId, root);
  return found !== undefined && found.deletedAt === null && found.conversationId === conversationId;
}
