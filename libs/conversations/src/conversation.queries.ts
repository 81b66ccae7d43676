import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import {
  FIND_CONVERSATION,
  FIND_PLACES,
  LOCK_BY_MESSAGE,
  LOCK_TO_CHANGE,
  LOCK_TO_WRITE,
} from './conversation.statements.js';

/** A conversation, with the state that a thread inherits from its channel. */
export type Conversation = RowOf<typeof FIND_CONVERSATION>;

/**
 * Lock mode of {@link lockConversation}: `write` for writing inside the conversation, `change` for
 * changing its members or state.
 */
export type LockStrength = 'write' | 'change';

/** Returns the conversation, or undefined if the space has no such conversation. */
export async function findConversation(
  q: Queryable,
  spaceId: string,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await q.query(FIND_CONVERSATION, [spaceId, id]);
  return row;
}

/** The parts of a conversation that never change. */
export type Place = RowOf<typeof FIND_PLACES>;

/**
 * Returns the places in the order of `wanted`. Those that their space does not have are undefined.
 */
export async function findPlaces(
  q: Queryable,
  wanted: readonly { spaceId: string; id: string }[],
): Promise<(Place | undefined)[]> {
  const rows = await q.query(FIND_PLACES, [wanted.map(({ spaceId }) => spaceId), wanted.map(({ id }) => id)]);
  const found = new Map(rows.map((row) => [`${row.spaceId} ${row.id}`, row]));
  return wanted.map(({ spaceId, id }) => found.get(`${spaceId} ${id}`));
}

/**
 * Locks the conversation's row until the end of the transaction and returns its state under the
 * lock.
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
 * Locks a message's conversation for writing and returns it, or undefined if the space has no such
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
