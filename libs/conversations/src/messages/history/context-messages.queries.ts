import { unprepared } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { READ_CONTEXT } from './history.statements.js';
import type { ContextMessage } from './history.statements.js';

/** Selects the earlier messages that an event includes as context. */
export interface ContextRequest {
  spaceId: string;
  /** The conversation of the event's message: the thread, for a reply. */
  conversationId: string;
  /** Index of the message. Only earlier messages are included. */
  beforeMsgIndex: number;
  /** Maximum number of messages: `context_size`. */
  limit: number;
}

/**
 * Reads the latest messages before each given message, ascending, without deleted ones, in one
 * statement.
 * @returns one list per request, in the order of the requests
 */
export async function readContextMessages(
  q: Queryable,
  requests: readonly ContextRequest[],
): Promise<ContextMessage[][]> {
  if (requests.length === 0) return [];
  const rows = await q.query(unprepared(READ_CONTEXT), [
    requests.map((r) => r.spaceId),
    requests.map((r) => r.conversationId),
    requests.map((r) => r.beforeMsgIndex),
    requests.map((r) => r.limit),
  ]);
  const found = new Map(rows.map(({ request, messages }) => [request, messages]));
  return requests.map((_, index) => found.get(index) ?? []);
}
