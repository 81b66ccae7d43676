import type { Queryable, RowOf } from '@tieline/platform/database';
import { FIND_LAST_INDEX_UNTIL, FIND_MESSAGES_AT, FIND_SOURCES } from './messages-by-time.statements.js';

/** A message and its place. `rootMessageId` is set in threads. */
export type PlacedMessage = RowOf<typeof FIND_MESSAGES_AT>;

/** A channel or direct chat. */
interface Place {
  readonly spaceId: string;
  readonly conversationId: string;
}

/**
 * Returns the messages of a channel, direct chat or its threads that were sent at a moment. Times
 * within a conversation are unique, so there is usually one. The one outside of threads is first.
 * @param sentAt RFC 3339 with microseconds
 */
export function findMessagesAt(
  q: Queryable,
  { spaceId, conversationId }: Place,
  sentAt: string,
): Promise<PlacedMessage[]> {
  return q.query(FIND_MESSAGES_AT, [spaceId, conversationId, sentAt]);
}

/** Returns the index of the last message that was sent until a moment, or 0. */
export async function findLastIndexUntil(
  q: Queryable,
  { spaceId, conversationId }: Place,
  moment: string,
): Promise<number> {
  const [row] = await q.query(FIND_LAST_INDEX_UNTIL, [spaceId, conversationId, moment]);
  return row?.msgIndex ?? 0;
}

/** Returns what other products sent, by the id of the message. */
export async function findSources(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await q.query(FIND_SOURCES, [spaceId, [...ids]]);
  return new Map(rows.map(({ id, sourceJson }) => [id, sourceJson]));
}
