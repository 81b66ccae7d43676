import { nullable, statement } from '@tieline/platform/database';

/** Appends events in the given order. $5 is null without tracing. */
export const APPEND_EVENTS = statement(
  'outbox_append',
  `INSERT INTO outbox (event_id, space_id, type, payload, traceparent)
     SELECT event_id, space_id, type, payload, $5::text FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS e(event_id, space_id, type, payload, n) ORDER BY n`,
  {},
);

/** Columns of an event taken from the outbox. */
export const EVENT = {
  id: 'int8',
  event_id: 'uuid',
  space_id: 'uuid',
  type: 'text',
  payload: 'text',
  traceparent: nullable('text'),
} as const;

/** The columns of {@link EVENT}. */
export const TAKEN = 'id, event_id, space_id, type, payload, traceparent';

/**
 * The id of this transaction, and the oldest one that was still writing when the statement began.
 */
export const OWN_AND_OLDEST_XID = `(SELECT pg_current_xact_id()::text::int8) AS own_xid,
     (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8) AS oldest_xid`;

/**
 * Takes at most $1 events after the id $2, oldest first, except those of the spaces $3. Each row
 * has the transaction ids that `LowWaterMark` needs.
 */
export const TAKE_EVENTS = statement(
  'outbox_claim',
  `DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM outbox WHERE id > $2::int8 AND space_id <> ALL ($3::uuid[]) ORDER BY id LIMIT $1))
   RETURNING ${TAKEN}, ${OWN_AND_OLDEST_XID}`,
  { ...EVENT, own_xid: 'int8', oldest_xid: 'int8' },
);

/** Takes at most $2 events of the space $1 after the id $3, oldest first. */
export const TAKE_OF_SPACE = statement(
  'outbox_claim_of_space',
  `DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM outbox WHERE id > $3::int8 AND space_id = $1 ORDER BY id LIMIT $2))
   RETURNING ${TAKEN}`,
  EVENT,
);

/** Takes those of the events $1 that still exist. */
export const TAKE_THESE_EVENTS = statement(
  'outbox_claim_these',
  `DELETE FROM outbox WHERE id = ANY($1::int8[]) RETURNING ${TAKEN}`,
  EVENT,
);

/** Records which relay plans. Returns a row if it was another one before. */
export const MARK_RELAY = statement(
  'outbox_mark',
  `UPDATE outbox_relay SET relay_id = $1, worked_at = clock_timestamp() WHERE relay_id IS DISTINCT FROM $1 RETURNING true AS changed`,
  { changed: 'bool' },
);

/**
 * Moves an event to the rejected ones, with the reason. Returns no row if the event no longer
 * exists.
 */
export const SET_ASIDE = statement(
  'outbox_set_aside',
  `WITH bad AS (DELETE FROM outbox WHERE id = $1 RETURNING *)
   INSERT INTO outbox_rejected (id, event_id, space_id, type, payload, error, created_at)
   SELECT id, event_id, space_id, type, payload, $2, created_at FROM bad RETURNING id, event_id, space_id, type`,
  { id: 'int8', event_id: 'uuid', space_id: 'uuid', type: 'text' },
);
