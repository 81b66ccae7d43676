import { statement } from '@tieline/platform/database';
import { DIRECT_EVENT_TYPES } from '../direct-event.js';

const URGENT = DIRECT_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/**
 * Returns a bot's queue, newest first. $1 space, $2 bot, $3 smallest id, $4 ids below this one, $5
 * limit. `isTaken`: the bot has polled beyond the record, or acknowledged it over a socket.
 */
export const SENT_EVENTS = statement(
  'bots.sent_events',
  `SELECT r.id::text, r.event_id AS "eventId", r.event_type AS "eventType", r.payload,
     coalesce(r.id <= (SELECT polled_to FROM poll_positions p WHERE p.space_id = $1 AND p.bot_id = $2), false)
       OR coalesce((SELECT r.id <= CASE WHEN r.event_type IN (${URGENT}) THEN greatest(q.urgent_to, q.taken_to) ELSE q.taken_to END
            FROM socket_queues q WHERE q.space_id = $1 AND q.bot_id = $2), false)
         AND NOT EXISTS (SELECT 1 FROM socket_envelopes e WHERE e.space_id = $1 AND e.bot_id = $2 AND e.record_id = r.id) AS "isTaken"
   FROM newest_poll_records($1, $2, $3::bigint, $4::bigint, $5::int) r ORDER BY r.id DESC`,
  { id: 'text', eventId: 'uuid', eventType: 'text', payload: 'text', isTaken: 'bool' },
);
