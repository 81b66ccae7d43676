import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import type { Conversation } from '../conversation.queries.js';
import { FIND_MESSAGE, FIND_MESSAGES_TO_CHANGE } from './stored-message.statements.js';

/** A stored message. */
export type Message = RowOf<typeof FIND_MESSAGE>;

/** Returns the message, deleted or not, or undefined if the space has no such message. */
export async function findMessage(q: Queryable, spaceId: string, id: string): Promise<Message | undefined> {
  const [row] = await q.query(FIND_MESSAGE, [spaceId, id]);
  return row;
}

/** A message to change, with the time of the change. */
export interface MessageToChange {
  message: Message;
  /** RFC 3339, UTC, nine fractional digits. */
  now: string;
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
): Promise<MessageToChange | undefined> {
  return (await findMessagesToChange(tx, conversation, [id]))[0];
}

/** Like {@link findMessageToChange}, for several messages of the conversation. Each occurs once. */
export async function findMessagesToChange(
  tx: Tx,
  { spaceId, id: conversationId }: Pick<Conversation, 'spaceId' | 'id'>,
  ids: readonly string[],
): Promise<(MessageToChange | undefined)[]> {
  const rows = await tx.query(FIND_MESSAGES_TO_CHANGE, { spaceId, conversationId, ids });
  const found = new Map(rows.map(({ n, now, ...message }) => [n, { message, now }]));
  return ids.map((_, index) => found.get(index + 1));
}
