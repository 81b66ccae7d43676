import { nullable, statement, text } from '@tieline/platform/database';
import type { EventDeliveryMode } from '../accounts/bot-settings.js';

/**
 * Returns the bot's mode and the records after a cursor. Returns one row without a record if there
 * is none or the mode is not `poll`.
 */
export const POLL_PAGE = statement(
  'bots.poll_page',
  `SELECT b.event_delivery_mode AS mode, r.id::text, r.event_id AS "eventId", r.event_type AS "eventType", r.payload
     FROM bots b LEFT JOIN LATERAL poll_page($1, $2, CASE WHEN b.event_delivery_mode = 'poll' THEN $3::bigint END, $4::int) r ON true
    WHERE b.space_id = $1 AND b.id = $2 AND b.is_active AND b.deleted_at IS NULL ORDER BY r.id`,
  {
    mode: text<EventDeliveryMode>(),
    id: nullable('text'),
    eventId: nullable('uuid'),
    eventType: nullable('text'),
    payload: nullable('text'),
  },
);

const NANOSECONDS = '(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint';

/** Inserts the records with ids after `clock.base`. */
const INSERT_RECORDS = `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload, head, conversation_id)
   SELECT r.space_id, r.bot_id, clock.base + r.n, r.event_id, r.event_type, ($7::text[])[r.payload_at], ($8::text[])[r.payload_at], ($9::uuid[])[r.payload_at]
   FROM clock, unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[]) WITH ORDINALITY AS r(space_id, bot_id, event_id, event_type, payload_at, n)`;

/**
 * Ids start after the clock or after the last assigned id, whichever is later, so they only grow.
 * For a relay without shards; earlier shards may have been ahead, so their clocks count too.
 */
export const APPEND_POLL_RECORDS = statement(
  'bots.append_poll_records',
  `WITH clock AS (
     UPDATE poll_clock SET last_id = greatest(last_id, (SELECT max(last_id) FROM poll_clocks), ${NANOSECONDS}) + $6::int RETURNING last_id - $6::int AS base
   )
   ${INSERT_RECORDS}`,
  {},
);

/**
 * {@link APPEND_POLL_RECORDS} for the relay of one shard, which has its own clock ($10, its node).
 * It starts after the ids of all earlier planners of its spaces.
 */
export const APPEND_POLL_RECORDS_OF_SHARD = statement(
  'bots.append_poll_records_of_shard',
  `WITH clock AS (
     INSERT INTO poll_clocks (node, last_id)
     SELECT $10::int, greatest(last_id, (SELECT max(last_id) FROM poll_clocks), ${NANOSECONDS}) + $6::int FROM poll_clock
     ON CONFLICT (node) DO UPDATE SET last_id = excluded.last_id RETURNING last_id - $6::int AS base
   )
   ${INSERT_RECORDS}`,
  {},
);

/**
 * Stores a cursor, but never beyond the last assigned id, because later records have not been read
 * yet. $1 space, $2 bot, $3 cursor, $4 the nodes of the space
 */
export const NOTE_POLL_POSITION = statement(
  'bots.note_poll_position',
  `INSERT INTO poll_positions AS p (space_id, bot_id, polled_to)
   SELECT $1, $2, least($3::bigint, greatest(last_id, (SELECT max(last_id) FROM poll_clocks WHERE node = ANY ($4::int[])))) FROM poll_clock
   ON CONFLICT (space_id, bot_id) DO UPDATE SET polled_to = excluded.polled_to WHERE p.polled_to < excluded.polled_to`,
  {},
);
