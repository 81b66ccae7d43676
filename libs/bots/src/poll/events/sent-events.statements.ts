import { statement } from '@tieline/platform/database';
import { URGENT_EVENT_TYPES } from '../direct-event.js';

const URGENT = URGENT_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/**
 * Returns the records of a bot's queue from `since` to `before`, newest first. `isTaken`: the bot
 * has polled beyond the record, or acknowledged it over a socket.
 */
export const LIST_SENT_EVENTS = statement(
  'poll_records.list_sent',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      since: 'int8',
      before: 'int8',
      limit: 'int4',
    },
    columns: {
      id: 'text',
      eventId: 'uuid',
      eventType: 'text',
      payload: 'text',
      isTaken: 'bool',
    },
  },
  `
  SELECT
    r.id::text,
    r.event_id AS "eventId",
    r.event_type AS "eventType",
    r.payload,
    coalesce(
      r.id <= (SELECT polled_to FROM poll_positions p WHERE p.space_id = :spaceId AND p.bot_id = :botId),
      false
    )
    OR coalesce(
      (
        SELECT r.id <= CASE
          WHEN r.event_type IN (${URGENT}) THEN greatest(q.urgent_to, q.taken_to)
          ELSE q.taken_to
        END
        FROM socket_queues q
        WHERE q.space_id = :spaceId AND q.bot_id = :botId
      ),
      false
    )
    AND NOT EXISTS (
      SELECT 1
      FROM socket_envelopes e
      WHERE e.space_id = :spaceId AND e.bot_id = :botId AND e.record_id = r.id
    ) AS "isTaken"
  FROM newest_poll_records(
    :spaceId,
    :botId,
    :since::bigint,
    :before::bigint,
    :limit::int
  ) r
  ORDER BY r.id DESC
  `,
);
