import { nullable, statement } from '@tieline/platform/database';

/**
 * Adds the counts $1 to the rows of the process $2. Nobody else writes these rows, so nobody waits.
 */
export const ADD_MINUTES = statement(
  'delivery_add_minutes',
  `INSERT INTO delivery_minutes AS m (space_id, minute, process, delivered, failed, retried, ages)
   SELECT r.space_id, r.minute, $2, r.delivered, r.failed, r.retried, r.ages
   FROM jsonb_to_recordset($1::jsonb) AS r(space_id uuid, minute timestamptz, delivered int, failed int, retried int, ages int[])
   ON CONFLICT (space_id, minute, process) DO UPDATE SET delivered = m.delivered + excluded.delivered, failed = m.failed + excluded.failed,
     retried = m.retried + excluded.retried,
     ages = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(m.ages, excluded.ages) WITH ORDINALITY AS u(a, b, n) ORDER BY n)`,
  {},
);

/**
 * What was counted for the space $1 since $2: at most 61 rows of each process that delivered for
 * it.
 */
export const MINUTES_OF_SPACE = statement(
  'delivery_minutes_of_space',
  `SELECT minute, delivered, failed, retried, ages FROM delivery_minutes WHERE space_id = $1 AND minute >= $2 ORDER BY minute`,
  { minute: 'timestamptz', delivered: 'int4', failed: 'int4', retried: 'int4', ages: 'int4[]' },
);

/** Forgets minutes before $1, $2 rows at most. */
export const DROP_OLD_MINUTES = statement(
  'delivery_drop_old_minutes',
  `DELETE FROM delivery_minutes WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM delivery_minutes WHERE minute < $1 ORDER BY minute LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/**
 * What waits for the targets $1, $2 deliveries at most, and when the first of them is sent.
 * Unprepared: the queue is empty now and full later. What stands behind an earlier one of its
 * conversation has no moment of its own.
 */
export const WAITING_FOR = statement(
  'delivery_waiting_for',
  `SELECT count(*) AS n, nullif(min(w.at), 'infinity') AS next_at FROM (
     SELECT greatest(q.due_at, t.open_until) AS at FROM unnest($1::uuid[]) AS g(target_id)
     LEFT JOIN LATERAL (SELECT open_until FROM delivery_targets t WHERE t.target_id = g.target_id LIMIT 1) t ON true
     CROSS JOIN LATERAL (SELECT due_at FROM delivery_queue q WHERE q.lane IN (0, 1) AND q.target_id = g.target_id LIMIT $2) q
     LIMIT $2
   ) w`,
  { n: 'int8', next_at: nullable('timestamptz') },
);
