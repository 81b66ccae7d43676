import { json, rfc3339, statement } from '@tieline/platform/database';
import type { ContextMessageView } from '../../events/event-envelope.view.js';
import { PAGE_BYTES } from './page-bytes.js';
import { MESSAGE, MESSAGE_COLUMNS } from '../stored-message.statements.js';

/**
 * Size of a message in bytes while rows are read. The length of a text is known without
 * decompressing it.
 */
const OCTETS = ['text', 'metadata_json', 'source_json']
  .map((column) => `coalesce(octet_length(m.${column}), 0)`)
  .join(' + ');

// Messages beyond PAGE_BYTES are not read. The message that crosses the limit is read, which shows
// that there are more.
const half = (comparison: string, order: string, limit: string, condition: string): string => `(
  SELECT ${MESSAGE_COLUMNS}
  FROM (
    SELECT
      m.*,
      sum(${OCTETS}) OVER (ORDER BY m.msg_index ${order} ROWS UNBOUNDED PRECEDING) - (${OCTETS}) AS before
    FROM messages m
    WHERE m.space_id = :spaceId AND m.conversation_id = :conversationId
      AND m.msg_index ${comparison} :boundary ${condition}
    ORDER BY m.msg_index ${order}
    LIMIT ${limit}
  ) m
  WHERE m.before <= ${PAGE_BYTES}
  ORDER BY m.msg_index ${order}
)`;

const both = (condition: string): string => `
  ${half('<', 'DESC', ':below', condition)}
  UNION ALL
  ${half('>=', 'ASC', ':above', condition)}`;

/** `below` messages before the boundary and `above` messages from it onwards. */
const WINDOW = {
  spaceId: 'uuid',
  conversationId: 'uuid',
  boundary: 'int8',
  below: 'int8',
  above: 'int8',
} as const;

// As a subquery, so that it is evaluated once instead of for every row and half.
const SENT_BEFORE = '(SELECT msg_index FROM sent_before)';

export const READ_HISTORY = statement(
  'messages.read_history',
  { params: WINDOW, columns: MESSAGE },
  both(''),
);

/** Up to this many changes are looked up one by one. */
const FEW_CHANGES = 1000;
const ARE_FEW = `(SELECT count(*) <= ${FEW_CHANGES} FROM changed)`;

/**
 * {@link READ_HISTORY} for messages sent or changed after `since`. Messages sent since then are the
 * end of the conversation; older messages that changed have their own index. Combined with OR,
 * neither index could be used. Statistics do not decide which index finds a few changes, because a
 * sample counts them badly. Returns up to twice as many rows as requested; the first ones in each
 * direction are the result.
 */
export const READ_CHANGED_HISTORY = statement(
  'messages.read_changed_history',
  { params: { ...WINDOW, since: 'timestamptz' }, columns: MESSAGE },
  `
  WITH sent_before AS MATERIALIZED (
    SELECT last_msg_index_until(:spaceId, :conversationId, :since::timestamptz) AS msg_index
  ), changed AS MATERIALIZED (
    SELECT msg_index
    FROM messages
    WHERE space_id = :spaceId AND conversation_id = :conversationId AND changed_at > :since::timestamptz
    ORDER BY changed_at
    LIMIT ${FEW_CHANGES + 1}
  )
  ${both(`AND m.msg_index > ${SENT_BEFORE}`)}
  UNION ALL
  ${both(`AND m.msg_index <= ${SENT_BEFORE} AND m.msg_index = ANY (ARRAY(SELECT msg_index FROM changed)) AND ${ARE_FEW}`)}
  UNION ALL
  ${both(`AND m.msg_index <= ${SENT_BEFORE} AND m.changed_at > :since::timestamptz AND NOT ${ARE_FEW}`)}
  `,
);

/** Reads the context of many events. All arrays have one element per event. */
export const READ_CONTEXT = statement(
  'messages.read_context',
  {
    params: {
      spaceIds: 'uuid[]',
      conversationIds: 'uuid[]',
      beforeIndexes: 'int8[]',
      limits: 'int4[]',
    },
    columns: { request: 'int4', messages: json<ContextMessageView[]>() },
  },
  `
  SELECT
    r.n::int - 1 AS request,
    json_agg(
      json_strip_nulls(json_build_object(
        'id', m.id,
        'content', m.text,
        'author_id', m.author_id,
        'created_at', ${rfc3339('m.sent_at')},
        'edited_at', ${rfc3339('m.edited_at')}
      ))
      ORDER BY m.msg_index
    ) AS messages
  FROM unnest(:spaceIds::uuid[], :conversationIds::uuid[], :beforeIndexes::bigint[], :limits::int[])
    WITH ORDINALITY AS r(space_id, conversation_id, before, take, n)
  JOIN LATERAL (
    SELECT *
    FROM messages
    WHERE space_id = r.space_id AND conversation_id = r.conversation_id
      AND msg_index < r.before AND deleted_at IS NULL
    ORDER BY msg_index DESC
    LIMIT r.take
  ) m ON true
  GROUP BY r.n
  `,
);
