import { nullable, statement } from '@tieline/platform/database';

/** Appends events in the given order. `traceparent` is null without tracing. */
export const APPEND_EVENTS = statement(
  'outbox.append',
  {
    params: {
      eventIds: 'uuid[]',
      spaceIds: 'uuid[]',
      types: 'text[]',
      payloads: 'text[]',
      traceparent: nullable('text'),
    },
    columns: {},
  },
  `
  INSERT INTO outbox (
    event_id,
    space_id,
    type,
    payload,
    traceparent
  )
  SELECT
    event_id,
    space_id,
    type,
    payload,
    :traceparent::text
  FROM unnest(
    :eventIds::uuid[],
    :spaceIds::uuid[],
    :types::text[],
    :payloads::text[]
  ) WITH ORDINALITY AS e (
    event_id,
    space_id,
    type,
    payload,
    n
  )
  ORDER BY n
  `,
);

/** Columns of an event taken from the outbox. */
const EVENT = {
  id: 'int8',
  eventId: 'uuid',
  spaceId: 'uuid',
  type: 'text',
  payload: 'text',
  traceparent: nullable('text'),
  createdAt: 'timestamptz',
  planCursor: nullable('text'),
} as const;

/** The columns of {@link EVENT}. */
const TAKEN = `id,
    event_id AS "eventId",
    space_id AS "spaceId",
    type,
    payload,
    traceparent,
    created_at AS "createdAt",
    plan_cursor AS "planCursor"`;

/**
 * The id of this transaction, and the oldest one that was still writing when the statement began.
 */
const OWN_AND_OLDEST_XID = `(SELECT pg_current_xact_id()::text::int8) AS "ownXid",
    (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8) AS "oldestXid"`;

/**
 * Takes the oldest events after an id, except those of some spaces. Must be the first statement of
 * the transaction: it also takes the lock of planning if it is free, limits the transaction's idle
 * time, and records which relay plans. Each row says whether another relay planned before, and has
 * the transaction ids that `LowWaterMark` needs. Without events there is one row, which says
 * whether the lock was free and whether another relay planned before.
 *
 * `afterId` is in a subquery so that the server does not plan the statement again for each value.
 *
 * The statement's snapshot is a moment older than the lock. Events that another relay has taken
 * since are skipped, and the row lock of outbox_relay reads its latest version. Without events a
 * row is locked and written only if another relay planned before, whose last events may not have
 * reached live streams.
 */
export const TAKE_EVENTS = statement(
  'outbox.claim',
  {
    params: {
      limit: 'int8',
      afterId: 'int8',
      exceptSpaceIds: 'uuid[]',
      idleMs: 'text',
      lock: 'int8',
      relayId: 'uuid',
    },
    columns: {
      id: nullable('int8'),
      eventId: nullable('uuid'),
      spaceId: nullable('uuid'),
      type: nullable('text'),
      payload: nullable('text'),
      traceparent: nullable('text'),
      createdAt: nullable('timestamptz'),
      planCursor: nullable('text'),
      ownXid: nullable('int8'),
      oldestXid: nullable('int8'),
      isLocked: 'bool',
      takenOver: 'bool',
    },
  },
  `
  WITH locked AS MATERIALIZED (
    SELECT
      set_config('idle_in_transaction_session_timeout', :idleMs, true),
      pg_try_advisory_xact_lock(:lock) AS is_locked
  ), relay AS MATERIALIZED (
    SELECT r.relay_id, true AS is_held FROM locked, outbox_relay r
    WHERE locked.is_locked AND (
      r.relay_id IS DISTINCT FROM :relayId::uuid
      OR (
        SELECT id FROM outbox
        WHERE id > (SELECT :afterId::int8) AND space_id <> ALL (:exceptSpaceIds::uuid[])
        ORDER BY id LIMIT 1
      ) IS NOT NULL
    )
    FOR NO KEY UPDATE OF r
  ), taken AS (
    DELETE FROM outbox
    WHERE id = ANY (ARRAY(
      SELECT id FROM outbox
      WHERE id > (SELECT :afterId::int8 FROM relay) AND space_id <> ALL (:exceptSpaceIds::uuid[])
      ORDER BY id LIMIT :limit
    ))
    RETURNING
    ${TAKEN},
    ${OWN_AND_OLDEST_XID}
  ), marked AS (
    UPDATE outbox_relay
    SET
      relay_id = :relayId,
      worked_at = clock_timestamp()
    FROM relay
    WHERE relay.relay_id IS DISTINCT FROM :relayId::uuid
  )
  SELECT
    taken.*,
    locked.is_locked AS "isLocked",
    relay.is_held IS TRUE AND relay.relay_id IS DISTINCT FROM :relayId::uuid AS "takenOver"
  FROM locked
  LEFT JOIN relay ON true
  LEFT JOIN taken ON true
  `,
);

/** Whether there are events after the id $1. */
export const EVENTS_ARE_WAITING = statement(
  'outbox.check_waiting',
  'SELECT EXISTS (SELECT 1 FROM outbox WHERE id > $1::int8) AS due',
  { due: 'bool' },
);

/** Takes at most $2 events of the space $1 after the id $3, oldest first. */
export const TAKE_OF_SPACE = statement(
  'outbox.claim_of_space',
  `DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM outbox WHERE id > $3::int8 AND space_id = $1 ORDER BY id LIMIT $2))
   RETURNING ${TAKEN}`,
  EVENT,
);

/** Takes those of the events $1 that still exist. */
export const TAKE_THESE_EVENTS = statement(
  'outbox.claim_these',
  `DELETE FROM outbox WHERE id = ANY($1::int8[]) RETURNING ${TAKEN}`,
  EVENT,
);

/** Puts an event back in its place, after a part of its deliveries has been planned. */
export const INSERT_UNFINISHED = statement(
  'outbox.insert_unfinished',
  {
    params: { ...EVENT, planCursor: 'text' },
    columns: {},
  },
  `
  INSERT INTO outbox (
    id,
    event_id,
    space_id,
    type,
    payload,
    traceparent,
    created_at,
    plan_cursor
  )
  OVERRIDING SYSTEM VALUE
  VALUES (
    :id,
    :eventId,
    :spaceId,
    :type,
    :payload,
    :traceparent,
    :createdAt,
    :planCursor
  )
  `,
);

/** Records which relay plans. Returns a row if it was another one before. */
export const MARK_RELAY = statement(
  'outbox_relay.mark',
  `UPDATE outbox_relay SET relay_id = $1, worked_at = clock_timestamp() WHERE relay_id IS DISTINCT FROM $1 RETURNING true AS changed`,
  { changed: 'bool' },
);

/**
 * Moves an event to the rejected ones, with the reason. Returns no row if the event no longer
 * exists.
 */
export const SET_ASIDE = statement(
  'outbox.set_aside',
  `WITH bad AS (DELETE FROM outbox WHERE id = $1 RETURNING *)
   INSERT INTO outbox_rejected (id, event_id, space_id, type, payload, error, created_at, plan_cursor)
   SELECT id, event_id, space_id, type, payload, $2, created_at, plan_cursor FROM bad RETURNING id, event_id AS "eventId", space_id AS "spaceId", type`,
  { id: 'int8', eventId: 'uuid', spaceId: 'uuid', type: 'text' },
);
