import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import {
  FIND_CONVERSATION,
  LOCK_BY_MESSAGE,
  LOCK_TO_CHANGE,
  LOCK_TO_WRITE,
} from './conversation.statements.js';
import { FIND_MEMBERSHIP } from './members/member.statements.js';

/** A conversation with what it has of its channel. */
export type Conversation = RowOf<typeof FIND_CONVERSATION>;

/**
 * How {@link lockConversation} locks: `write` what happens inside it, `change` its members and
 * state.
 */
export type LockStrength = 'write' | 'change';

/** The conversation, or undefined when the space has none of this id. */
export async function findConversation(
  q: Queryable,
  spaceId: string,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await q.query(FIND_CONVERSATION, [spaceId, id]);
  return row;
}

/**
 * The conversation with its row locked until the end of the transaction, as it is once the lock is
 * held.
 */
export async function lockConversation(
  tx: Tx,
  spaceId: string,
  id: string,
  strength: LockStrength,
): Promise<Conversation | undefined> {
  const [row] = await tx.query(strength === 'write' ? LOCK_TO_WRITE : LOCK_TO_CHANGE, [spaceId, id]);
  return row;
}

/**
 * The conversation of a message, locked for writing in it, or undefined when the space has no such
 * message.
 */
export async function lockConversationOfMessage(
  tx: Tx,
  spaceId: string,
  messageId: string,
): Promise<Conversation | undefined> {
  const [row] = await tx.query(LOCK_BY_MESSAGE, [spaceId, messageId]);
  return row;
}

/**
 * Whether that person or bot is a member of the channel or direct chat (pass a thread's
 * `channelId`).
 */
export async function isMember(
  q: Queryable,
  spaceId: string,
  channelId: string,
  memberId: string,
): Promise<boolean> {
  return (await q.query(FIND_MEMBERSHIP, [spaceId, channelId, memberId])).length > 0;
}
