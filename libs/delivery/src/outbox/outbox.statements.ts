import { statement } from '@tieline/platform/database';

/** Appends events, in the order in which they are given. */
export const APPEND_EVENTS = statement(
  'outbox_append',
  `INSERT INTO outbox (event_id, space_id, type, payload)
     SELECT event_id, space_id, type, payload FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS e(event_id, space_id, type, payload, n) ORDER BY n`,
  {},
);

/** Takes the oldest events out. */
export const TAKE_EVENTS = statement(
  'outbox_claim',
  `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT $1) RETURNING id, event_id, space_id, type, payload`,
  { id: 'int8', event_id: 'uuid', space_id: 'uuid', type: 'text', payload: 'text' },
);

/** Notes who plans; a row when it was somebody else. */
export const MARK_RELAY = statement(
  'outbox_mark',
  `UPDATE outbox_relay SET relay_id = $1, worked_at = clock_timestamp() WHERE relay_id IS DISTINCT FROM $1 RETURNING true AS changed`,
  { changed: 'bool' },
);

/** Moves the oldest event away, with the reason. */
export const SET_FIRST_ASIDE = statement(
  'outbox_set_aside',
  `WITH bad AS (DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox) RETURNING *)
       INSERT INTO outbox_rejected (id, event_id, space_id, type, payload, error, created_at)
       SELECT id, event_id, space_id, type, payload, $1, created_at FROM bad RETURNING id, type`,
  { id: 'int8', type: 'text' },
);
