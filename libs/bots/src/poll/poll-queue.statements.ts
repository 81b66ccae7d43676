import { nullable, statement, text } from '@tieline/platform/database';
import type { EventDeliveryMode } from '../accounts/bot.js';

/**
 * Returns the bot's mode and the records after a cursor. Returns one row without a record if there
 * is none or the mode is not `poll`.
 */
export const READ_POLL_PAGE = statement(
  'poll_records.read_page',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      after: 'int8',
      limit: 'int4',
    },
    columns: {
      mode: text<EventDeliveryMode>(),
      id: nullable('text'),
      eventId: nullable('uuid'),
      eventType: nullable('text'),
      payload: nullable('text'),
    },
  },
  `
  SELECT
    b.event_delivery_mode AS mode,
    r.id::text,
    r.event_id AS "eventId",
    r.event_type AS "eventType",
    r.payload
  FROM bots b
  LEFT JOIN LATERAL poll_page(
    :spaceId,
    :botId,
    CASE WHEN b.event_delivery_mode = 'poll' THEN :after::bigint END,
    :limit::int
  ) r ON true
  WHERE b.space_id = :spaceId AND b.id = :botId AND b.is_active AND b.deleted_at IS NULL
  ORDER BY r.id
  `,
);

const NANOSECONDS = '(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint';

/**
 * Ids start after the clock or after the last assigned id, whichever is later, so they only grow.
 * `poll_clocks` has the ids of earlier versions, in which several relays could share the outbox.
 * `places` are the positions of the records' events in the other arrays.
 */
export const APPEND_POLL_RECORDS = statement(
  'poll_records.append',
  {
    params: {
      spaceIds: 'uuid[]',
      botIds: 'uuid[]',
      eventIds: 'uuid[]',
      eventTypes: 'text[]',
      places: 'int4[]',
      count: 'int4',
      payloads: 'text[]',
      heads: 'text[]',
      conversationIds: 'uuid[]',
    },
    columns: {},
  },
  `
  WITH clock AS (
    UPDATE poll_clock
    SET last_id = greatest(last_id, (SELECT max(last_id) FROM poll_clocks), ${NANOSECONDS}) + :count::int
    RETURNING last_id - :count::int AS base
  )
  INSERT INTO poll_records (
    space_id,
    bot_id,
    id,
    event_id,
    event_type,
    payload,
    head,
    conversation_id
  )
  SELECT
    r.space_id,
    r.bot_id,
    clock.base + r.n,
    r.event_id,
    r.event_type,
    (:payloads::text[])[r.place],
    (:heads::text[])[r.place],
    (:conversationIds::uuid[])[r.place]
  FROM
    clock,
    unnest(
      :spaceIds::uuid[],
      :botIds::uuid[],
      :eventIds::uuid[],
      :eventTypes::text[],
      :places::int[]
    ) WITH ORDINALITY AS r (space_id, bot_id, event_id, event_type, place, n)
  `,
);

/**
 * Stores a cursor, but never beyond the last assigned id, because later records have not been read
 * yet. $1 space, $2 bot, $3 cursor
 */
export const NOTE_POLL_POSITION = statement(
  'poll_positions.note',
  `INSERT INTO poll_positions AS p (space_id, bot_id, polled_to)
   SELECT $1, $2, least($3::bigint, greatest(last_id, (SELECT max(last_id) FROM poll_clocks))) FROM poll_clock
   ON CONFLICT (space_id, bot_id) DO UPDATE SET polled_to = excluded.polled_to WHERE p.polled_to < excluded.polled_to`,
  {},
);
