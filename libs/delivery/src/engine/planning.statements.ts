import { nullable, statement } from '@tieline/platform/database';

/** The lease of a delivery that is leased when it is planned. Those of claims begin with 1. */
export const FIRST_LEASE = 0;

/**
 * A delivery of the target p that waits in the lane of first attempts, but not for another one of
 * its line. The order makes the server use the index. If one target has most of the queue, it would
 * otherwise read the table, because it expects a match soon.
 */
export const BACKLOG_OF = `SELECT true FROM delivery_queue q
    WHERE q.lane = 0 AND q.target_id = p.target_id AND q.due_at < 'infinity'
      AND (q.lease_until IS NULL OR q.lease_until < statement_timestamp())
    ORDER BY q.due_at
    LIMIT 1`;
/** The breaker of the target p, if it is open. */
export const OPEN_BREAKER_OF = `SELECT true FROM delivery_targets t WHERE t.target_id = p.target_id AND t.open_until IS NOT NULL`;
const EARLIER_IN_LINE = `SELECT 1 FROM delivery_queue q WHERE q.target_id = p.target_id AND q.order_key = p.order_key`;

/**
 * Stores the bodies of deliveries, and inserts the deliveries into log and queue. Only the first
 * delivery of a line is due. `follows` says which ones follow another one of this batch; others may
 * follow one in the queue.
 *
 * Those with `direct` are leased to the worker `owner`, unless their target has an open breaker or
 * other deliveries waiting, or they wait in a line. Returns the leased ones, and the first of each
 * line that waits for a delivery in the queue.
 */
export const PLAN_DELIVERIES = statement(
  'deliveries.plan',
  {
    params: {
      payloadIds: 'uuid[]',
      payloadSpaceIds: 'uuid[]',
      bodies: 'bytea[]',
      ids: 'uuid[]',
      spaceIds: 'uuid[]',
      kinds: 'text[]',
      targetIds: 'uuid[]',
      eventIds: 'uuid[]',
      eventTypes: 'text[]',
      payloads: 'uuid[]',
      headers: 'text[]',
      maxAttempts: 'int4[]',
      counts: 'bool[]',
      extended: 'bool[]',
      orderKeys: 'uuid[]',
      orderPositions: 'int8[]',
      follows: 'bool[]',
      direct: 'bool[]',
      owner: nullable('int4'),
      leaseMs: nullable('int4'),
    },
    columns: { id: 'uuid', isLeased: 'bool' },
  },
  `
  WITH payload AS (
    INSERT INTO delivery_payloads (
      id,
      space_id,
      body
    )
    SELECT * FROM unnest(
      :payloadIds::uuid[],
      :payloadSpaceIds::uuid[],
      :bodies::bytea[]
    )
  ), planned AS MATERIALIZED (
    SELECT * FROM unnest(
      :ids::uuid[],
      :spaceIds::uuid[],
      :kinds::text[],
      :targetIds::uuid[],
      :eventIds::uuid[],
      :eventTypes::text[],
      :payloads::uuid[],
      :headers::text[],
      :maxAttempts::int4[],
      :counts::bool[],
      :extended::bool[],
      :orderKeys::uuid[],
      :orderPositions::int8[],
      :follows::bool[],
      :direct::bool[]
    ) AS p (
      id,
      space_id,
      kind,
      target_id,
      event_id,
      event_type,
      payload_id,
      headers,
      max_attempts,
      counts,
      extended,
      order_key,
      order_position,
      follows,
      direct
    )
  ), logged AS (
    INSERT INTO deliveries (
      id,
      space_id,
      kind,
      target_id,
      event_id,
      event_type,
      payload_id,
      headers
    )
    SELECT
      id,
      space_id,
      kind,
      target_id,
      event_id,
      event_type,
      payload_id,
      headers
    FROM planned
  ), placed AS MATERIALIZED (
    SELECT
      p.*,
      direct AND NOT waits AND (${OPEN_BREAKER_OF}) IS NULL AND (${BACKLOG_OF}) IS NULL AS leased
    FROM (
      SELECT
        *,
        order_key IS NOT NULL AND (follows OR EXISTS (${EARLIER_IN_LINE})) AS waits
      FROM planned p
    ) p
  ), queued AS (
    INSERT INTO delivery_queue (
      id,
      space_id,
      kind,
      target_id,
      max_attempts,
      counts,
      extended,
      lane,
      order_key,
      order_position,
      due_at,
      lease,
      lease_owner,
      lease_until
    )
    SELECT
      id,
      space_id,
      kind,
      target_id,
      max_attempts,
      counts,
      extended,
      CASE WHEN counts THEN 0 ELSE 2 END,
      order_key,
      order_position,
      CASE WHEN waits THEN 'infinity' ELSE clock_timestamp() END,
      CASE WHEN leased THEN ${FIRST_LEASE} END,
      CASE WHEN leased THEN :owner::int4 END,
      CASE WHEN leased THEN clock_timestamp() + :leaseMs::int4 * interval '1 millisecond' END
    FROM placed p
  )
  SELECT id, leased AS "isLeased" FROM placed WHERE leased OR (waits AND NOT follows)
  `,
);
