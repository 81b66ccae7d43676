import { statement } from '@tieline/platform/database';

/** Draws the number of a new worker. */
export const DRAW_OWNER = statement(
  'delivery_workers.draw_owner',
  `SELECT nextval(pg_get_serial_sequence('delivery_workers', 'owner'))::int AS owner`,
  { owner: 'int4' },
);

export const REGISTER_OWNER = statement(
  'delivery_workers.register_owner',
  'INSERT INTO delivery_workers (owner) OVERRIDING SYSTEM VALUE VALUES ($1)',
  {},
);

/**
 * Moves the leases of the number $1 to $2, so that no other worker sends these deliveries again.
 */
export const TAKE_OVER_LEASES = statement(
  'deliveries.take_over_leases',
  'UPDATE delivery_queue SET lease_owner = $2 WHERE lease_owner = $1',
  {},
);

/**
 * Extends the leases of the deliveries $1 by $3 milliseconds, if this worker still has the leases
 * $2.
 */
export const RENEW_LEASES = statement(
  'deliveries.renew_leases',
  `WITH held AS (SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS h(id, lease))
   UPDATE delivery_queue q SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
   FROM held h WHERE q.id = h.id AND q.lease = h.lease RETURNING q.id`,
  { id: 'uuid' },
);

/** Workers $1 whose lock is free. */
const DEAD_WORKERS = `started_at < statement_timestamp() - interval '1 second' AND NOT EXISTS (
       SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.objid = w.owner::oid AND l.objsubid = 2 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * Releases the leases of workers whose lock is free. Unprepared: the queue is sometimes empty and
 * sometimes full, and a cached plan fits only one of the two.
 */
export const RELEASE_DEAD_LEASES = statement(
  'deliveries.release_dead_leases',
  `WITH dead AS (
     DELETE FROM delivery_workers w
     WHERE ${DEAD_WORKERS}
     RETURNING owner
   ), freed AS (
     UPDATE delivery_queue SET lease = NULL, lease_owner = NULL, lease_until = NULL
     WHERE EXISTS (SELECT 1 FROM dead) AND lease_owner IN (SELECT owner FROM dead) RETURNING 1
   ) SELECT count(*) AS n FROM freed`,
  { n: 'int8' },
);

/**
 * Leases deliveries that a breaker or rate has postponed since before $1, or before $3 with the
 * profile `extended`, so that they can be closed. Unprepared like {@link RELEASE_DEAD_LEASES}. A
 * delivery postponed by a rate blocks those behind it in its line. Breakers do not postpone test
 * sends.
 */
export const LEASE_EXPIRED = statement(
  'deliveries.lease_expired',
  `UPDATE delivery_queue q SET lease = l.lease, lease_owner = $2, lease_until = clock_timestamp() + interval '30 seconds'
   FROM (SELECT nextval('delivery_lease') AS lease) l
   WHERE q.id = ANY(ARRAY(
     SELECT id FROM delivery_queue o
     WHERE o.id < $1 AND (NOT o.extended OR o.id < $3) AND (o.lease_until IS NULL OR o.lease_until < statement_timestamp())
       AND (o.postponed OR (SELECT h.postponed FROM delivery_queue h WHERE h.lane = o.lane AND h.target_id = o.target_id ORDER BY h.due_at LIMIT 1)
         OR o.lane <> 2 AND EXISTS (SELECT 1 FROM delivery_targets t WHERE t.target_id = o.target_id AND t.open_until IS NOT NULL))
     LIMIT 500 FOR UPDATE SKIP LOCKED))
   RETURNING
     q.id,
     q.space_id AS "spaceId",
     q.kind,
     q.target_id AS "targetId",
     q.attempts,
     q.counts,
     q.extended,
     q.lease`,
  {
    id: 'uuid',
    spaceId: 'uuid',
    kind: 'text',
    targetId: 'uuid',
    attempts: 'int4',
    counts: 'bool',
    extended: 'bool',
    lease: 'int8',
  },
);

/**
 * Returns which of the lanes $1 have due deliveries. Visits the targets like a claim and stops at
 * the first due delivery. Breakers do not postpone test sends (lane 2).
 */
export const DUE_LANES = statement('deliveries.find_due_lanes', dueLanes('$1'), { lane: 'int4' });

/**
 * Whether a sweep finds something: a dead worker, a line of ordered deliveries, or a due delivery
 * in the lanes $2. $1 is the class of the workers' locks.
 */
export const SWEEP_IS_DUE = statement(
  'deliveries.check_sweep',
  `SELECT EXISTS (SELECT 1 FROM delivery_workers w WHERE ${DEAD_WORKERS})
     OR EXISTS (SELECT 1 FROM delivery_queue WHERE order_key IS NOT NULL)
     OR EXISTS (${dueLanes('$2')}) AS due`,
  { due: 'bool' },
);

function dueLanes(lanes: string): string {
  return `SELECT l.lane FROM unnest(${lanes}::int4[]) AS l(lane) WHERE EXISTS (
     WITH RECURSIVE walk AS (
       (SELECT target_id FROM delivery_queue WHERE lane = l.lane ORDER BY target_id LIMIT 1)
       UNION ALL
       SELECT (SELECT q.target_id FROM delivery_queue q WHERE q.lane = l.lane AND q.target_id > w.target_id ORDER BY q.target_id LIMIT 1)
       FROM walk w WHERE w.target_id IS NOT NULL
     )
     SELECT 1 FROM walk w
     WHERE EXISTS (SELECT 1 FROM delivery_queue q WHERE q.lane = l.lane AND q.target_id = w.target_id AND q.due_at <= statement_timestamp()
         AND (q.lease_until IS NULL OR q.lease_until < statement_timestamp()))
       AND (l.lane = 2 OR NOT EXISTS (SELECT 1 FROM delivery_targets t WHERE t.target_id = w.target_id AND t.open_until IS NOT NULL)))`;
}
