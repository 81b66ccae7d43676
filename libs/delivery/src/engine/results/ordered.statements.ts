import { statement } from '@tieline/platform/database';

/** The first delivery in the line of a target and key. */
const FIRST = `SELECT id FROM delivery_queue q WHERE q.target_id = e.target_id AND q.order_key = e.order_key ORDER BY q.order_position LIMIT 1`;
/** Makes waiting deliveries due. Skips those that are being closed at the moment. */
const release = (
  lines: string,
): string => `UPDATE delivery_queue SET due_at = clock_timestamp() WHERE id = ANY (ARRAY(
     SELECT id FROM delivery_queue WHERE due_at = 'infinity' AND id = ANY (ARRAY(SELECT (${FIRST}) FROM ${lines} e)) FOR UPDATE SKIP LOCKED))
   RETURNING lane, target_id AS "targetId", space_id AS "spaceId"`;
const RELEASED = { lane: 'int2', targetId: 'uuid', spaceId: 'uuid' } as const;

/** Releases the next deliveries of the lines with targets $1 and keys $2. */
export const RELEASE_NEXT = statement(
  'deliveries.release_next',
  release('(SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS g(target_id, order_key))'),
  RELEASED,
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
   )
   ${release('lines')}`,
  RELEASED,
);
