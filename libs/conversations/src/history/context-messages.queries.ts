import { rfc3339 } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';

/** Which earlier messages an event's receiver is told. */
export interface ContextRequest {
  spaceId: string;
  /** The conversation of the event's message: the thread, for a reply. */
  conversationId: string;
  /** The message itself; only what came before it is told. */
  beforeMsgIndex: number;
  /** How many at most: `context_size`. */
  limit: number;
}

/** One entry of `context.messages` of outgoing webhooks, in the contract's order. */
export interface ContextMessage {
  id: string;
  content: string;
  author_id: string;
  created_at: string;
  edited_at?: string;
}

/**
 * The newest messages before a message in its conversation, ascending, without deleted ones; for many events in one
 * statement. @returns one list per request, in the order of the requests
 */
export async function readContextMessages(
  q: Queryable,
  requests: readonly ContextRequest[],
): Promise<ContextMessage[][]> {
  if (requests.length === 0) return [];
  const rows = await q.query<{ request: number; messages: ContextMessage[] }>(
    `SELECT r.n::int - 1 AS request, json_agg(json_strip_nulls(json_build_object('id', m.id, 'content', m.text, 'author_id', m.author_id,
              'created_at', ${rfc3339('m.sent_at')}, 'edited_at', ${rfc3339('m.edited_at')})) ORDER BY m.msg_index) AS messages
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::int[]) WITH ORDINALITY AS r(space_id, conversation_id, before, take, n)
       JOIN LATERAL (SELECT * FROM messages WHERE space_id = r.space_id AND conversation_id = r.conversation_id AND msg_index < r.before AND deleted_at IS NULL
                      ORDER BY msg_index DESC LIMIT r.take) m ON true
      GROUP BY r.n`,
    [
      requests.map((r) => r.spaceId),
      requests.map((r) => r.conversationId),
      requests.map((r) => r.beforeMsgIndex),
      requests.map((r) => r.limit),
    ],
  );
  const found = new Map(rows.map(({ request, messages }) => [request, messages]));
  return requests.map((_, index) => found.get(index) ?? []);
}
