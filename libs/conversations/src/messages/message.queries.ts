import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { Conversation } from '../conversation.queries.js';
import { FIND_MESSAGE, FIND_MESSAGE_TO_CHANGE } from './stored-message.statements.js';

/** A stored message. */
export type Message = RowOf<typeof FIND_MESSAGE>;

/** Returns the message, deleted or not, or undefined if the space has no such message. */
export async function findMessage(q: Queryable, spaceId: string, id: string): Promise<Message | undefined> {
  const [row] = await q.query(FIND_MESSAGE, [spaceId, id]);
  return row;
}

/**
 * Returns a message to change, with the time of the change. Times within a conversation grow in
 * commit order, so that `updated_since` misses no change. The caller holds the conversation's row
 * lock.
 */
export async function findMessageToChange(
  tx: Tx,
  conversation: Pick<Conversation, 'spaceId' | 'id'>,
  id: string,
): Promise<{ message: Message; now: string } | undefined> {
  const [row] = await tx.query(FIND_MESSAGE_TO_CHANGE, [conversation.spaceId, id, conversation.id]);
  if (!row) return undefined;
  const { now, ...message } = row;
  return { message, now };
}
