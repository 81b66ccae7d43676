import { nullable, statement } from '@tieline/platform/database';
import { CLAIMED_COLUMNS, CLAIMED_PARTS, CLAIMED_SELECTION } from '../claims/claims.statements.js';
import { BACKLOG_OF, OPEN_BREAKER_OF } from '../planning.statements.js';

/** The first delivery in the line of a target and key. */
const FIRST = `SELECT id FROM delivery_queue q WHERE q.target_id = e.target_id AND q.order_key = e.order_key ORDER BY q.order_position LIMIT 1`;
/** The first ones that wait. Skips those that are being closed at the moment. */
const waitingFirst = (lines: string): string =>
  `SELECT id, target_id, order_key FROM delivery_queue WHERE due_at = 'infinity' AND id = ANY (ARRAY(SELECT (${FIRST}) FROM ${lines} e)) FOR UPDATE SKIP LOCKED`;

/**
 * Makes the next deliveries of the lines due. Those of lines with `direct` are leased to the worker
 * `owner`, unless their target has an open breaker or other deliveries waiting. Returns all of
 * them, with the requests of the leased ones.
 *
 * The commit does not wait for the disk. If a crash of the server loses it, a sweep releases them.
 */
export const RELEASE_NEXT = statement(
  'deliveries.release_next',
  {
    params: {
      targetIds: 'uuid[]',
      keys: 'uuid[]',
      direct: 'bool[]',
      owner: nullable('int4'),
      leaseMs: nullable('float8'),
    },
    columns: { ...CLAIMED_COLUMNS, lease: nullable('int8'), orderKey: 'uuid' },
  },
  `
  WITH line AS MATERIALIZED (
    SELECT * FROM unnest(
      :targetIds::uuid[],
      :keys::uuid[],
      :direct::bool[]
    ) AS l (
      target_id,
      order_key,
      direct
    )
  ), first AS (
    ${waitingFirst('line')}
  ), placed AS (
    SELECT p.id, p.direct AND (${OPEN_BREAKER_OF}) IS NULL AND (${BACKLOG_OF}) IS NULL AS leased
    FROM (SELECT id, target_id, direct FROM first JOIN line USING (target_id, order_key)) p
  ), leased AS (
    UPDATE delivery_queue q
    SET
      due_at = clock_timestamp(),
      lease = CASE WHEN p.leased THEN l.lease END,
      lease_owner = CASE WHEN p.leased THEN :owner::int4 END,
      lease_until = CASE WHEN p.leased THEN clock_timestamp() + :leaseMs::float8 * interval '1 millisecond' END
    FROM placed p, (
      SELECT nextval('delivery_lease') AS lease, set_config('synchronous_commit', 'off', true)
    ) l
    WHERE q.id = p.id
    RETURNING q.*
  )
  SELECT
    ${CLAIMED_SELECTION},
    leased.order_key AS "orderKey"
  FROM leased
  ${CLAIMED_PARTS}
  `,
);

/**
 * Releases deliveries that are first in their line and still wait: they were planned while the one
 * before them ended, or its end could not release them. Visits the lines one by one.
 */
export const RELEASE_STUCK = statement(
  'deliveries.release_stuck',
  `WITH RECURSIVE lines AS (
     (SELECT target_id, order_key FROM delivery_queue WHERE order_key IS NOT NULL ORDER BY target_id, order_key LIMIT 1)
     UNION ALL
     SELECT n.target_id, n.order_key FROM lines l CROSS JOIN LATERAL (
       SELECT target_id, order_key FROM delivery_queue WHERE order_key IS NOT NULL AND (target_id, order_key) > (l.target_id, l.order_key)
       ORDER BY target_id, order_key LIMIT 1) n
   ), first AS (${waitingFirst('lines')})
   UPDATE delivery_queue q SET due_at = clock_timestamp() FROM first WHERE q.id = first.id`,
  {},
);
