import { json, rfc3339, statement } from '@tieline/platform/database';
import { PAGE_BYTES } from './page-bytes.js';
import { MESSAGE, MESSAGE_COLUMNS } from '../stored-message.statements.js';

/**
 * Size of a message in bytes while rows are read. The length of a text is known without
 * decompressing it.
 */
const OCTETS = 'octet_length(m.text) + coalesce(octet_length(m.metadata_json), 0)';

// Messages beyond PAGE_BYTES are not read. The message that crosses the limit is read, which shows
// that there are more.
const half = (comparison: string, order: string, limit: string, condition: string): string =>
  `(SELECT ${MESSAGE_COLUMNS}
      FROM (SELECT m.*, sum(${OCTETS}) OVER (ORDER BY m.msg_index ${order} ROWS UNBOUNDED PRECEDING) - (${OCTETS}) AS before
              FROM messages m WHERE m.space_id = $1 AND m.conversation_id = $2 AND m.msg_index ${comparison} $3 ${condition}
             ORDER BY m.msg_index ${order} LIMIT ${limit}) m
     WHERE m.before <= ${PAGE_BYTES} ORDER BY m.msg_index ${order})`;

const both = (condition: string): string =>
  `${half('<', 'DESC', '$4', condition)} UNION ALL ${half('>=', 'ASC', '$5', condition)}`;

// As a subquery, so that it is evaluated once instead of for every row and half.
const SENT_BEFORE = '(SELECT msg_index FROM sent_before)';

/** $1 space, $2 conversation, $3 boundary, $4 limit before it, $5 limit from it onwards. */
export const READ_HISTORY = statement('conversations.read_history', both(''), MESSAGE);

/**
 * {@link READ_HISTORY} for messages sent or changed after $6. Messages sent since then are the end
 * of the conversation; older messages that changed have their own index. Combined with OR, neither
 * index could be used. Returns up to twice as many rows as requested; the first ones in each
 * direction are the result.
 */
export const READ_CHANGED_HISTORY = statement(
  'conversations.read_changed_history',
  `WITH sent_before AS MATERIALIZED (SELECT last_msg_index_until($1, $2, $6::timestamptz) AS msg_index)
   ${both(`AND m.msg_index > ${SENT_BEFORE}`)} UNION ALL ${both(`AND m.msg_index <= ${SENT_BEFORE} AND m.changed_at > $6::timestamptz`)}`,
  MESSAGE,
);

/** One entry of `context.messages` of outgoing webhooks, in the documented field order. */
export interface ContextMessage {
  id: string;
  content: string;
  author_id: string;
  created_at: string;
  edited_at?: string;
}

/**
 * For many events, as arrays: $1 space, $2 conversation, $3 messages before this index, $4 limit.
 */
export const READ_CONTEXT = statement(
  'conversations.read_context',
  `SELECT r.n::int - 1 AS request, json_agg(json_strip_nulls(json_build_object('id', m.id, 'content', m.text, 'author_id', m.author_id,
            'created_at', ${rfc3339('m.sent_at')}, 'edited_at', ${rfc3339('m.edited_at')})) ORDER BY m.msg_index) AS messages
     FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::int[]) WITH ORDINALITY AS r(space_id, conversation_id, before, take, n)
     JOIN LATERAL (SELECT * FROM messages WHERE space_id = r.space_id AND conversation_id = r.conversation_id AND msg_index < r.before AND deleted_at IS NULL
                    ORDER BY msg_index DESC LIMIT r.take) m ON true
    GROUP BY r.n`,
  { request: 'int4', messages: json<ContextMessage[]>() },
);
