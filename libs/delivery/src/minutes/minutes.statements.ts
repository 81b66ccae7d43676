import { nullable, statement } from '@tieline/platform/database';

/**
 * Adds the counts $1 to the rows of the process $2. No other process writes these rows, so there is
 * no contention.
 */
export const ADD_MINUTES = statement(
  'delivery_minutes.add',
  `INSERT INTO delivery_minutes AS m (space_id, minute, process, delivered, failed, retried, ages)
   SELECT r."spaceId", r.minute, $2, r.delivered, r.failed, r.retried, r.ages
   FROM jsonb_to_recordset($1::jsonb) AS r("spaceId" uuid, minute timestamptz, delivered int, failed int, retried int, ages int[])
   ON CONFLICT (space_id, minute, process) DO UPDATE SET delivered = m.delivered + excluded.delivered, failed = m.failed + excluded.failed,
     retried = m.retried + excluded.retried,
     ages = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(m.ages, excluded.ages) WITH ORDINALITY AS u(a, b, n) ORDER BY n)`,
  {},
);

/**
 * Reads the counts of the space $1 since $2: at most 61 rows per process that delivered for it.
 */
export const MINUTES_OF_SPACE = statement(
  'delivery_minutes.list',
  `SELECT minute, delivered, failed, retried, ages FROM delivery_minutes WHERE space_id = $1 AND minute >= $2 ORDER BY minute`,
  { minute: 'timestamptz', delivered: 'int4', failed: 'int4', retried: 'int4', ages: 'int4[]' },
);

/** Deletes minutes before $1, at most $2 rows. */
export const DROP_OLD_MINUTES = statement(
  'delivery_minutes.delete_old',
  `DELETE FROM delivery_minutes WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM delivery_minutes WHERE minute < $1 ORDER BY minute LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/**
 * Counts at most $2 deliveries that wait for the targets $1, with the time when the first is due.
 * Unprepared, because the queue is sometimes empty and sometimes full. Deliveries behind others in
 * their line have no time yet.
 */
export const WAITING_FOR = statement(
  'deliveries.count_waiting_for_targets',
  `SELECT count(*) AS n, nullif(min(w.at), 'infinity') AS "nextAt" FROM (
     SELECT greatest(q.due_at, t.open_until) AS at FROM unnest($1::uuid[]) AS g(target_id)
     LEFT JOIN LATERAL (SELECT open_until FROM delivery_targets t WHERE t.target_id = g.target_id LIMIT 1) t ON true
     CROSS JOIN LATERAL (SELECT due_at FROM delivery_queue q WHERE q.lane IN (0, 1) AND q.target_id = g.target_id LIMIT $2) q
     LIMIT $2
   ) w`,
  { n: 'int8', nextAt: nullable('timestamptz') },
);
