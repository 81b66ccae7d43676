import { unprepared } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { READ_CONTEXT } from './history.statements.js';
import type { ContextMessageView } from '../../events/event-envelope.view.js';

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
): Promise<ContextMessageView[][]> {
  if (requests.length === 0) return [];
  const rows = await q.query(unprepared(READ_CONTEXT), {
    spaceIds: requests.map((r) => r.spaceId),
    conversationIds: requests.map((r) => r.conversationId),
    beforeIndexes: requests.map((r) => r.beforeMsgIndex),
    limits: requests.map((r) => r.limit),
  });
  const found = new Map(rows.map(({ request, messages }) => [request, messages]));
  return requests.map((_, index) => found.get(index) ?? []);
}
