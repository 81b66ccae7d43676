import { nullable, statement } from '@tieline/platform/database';

/**
 * Settles results. Finished deliveries leave the queue and are marked in the log. The others return
 * to the queue: retries with their next time, those over their rate with the old one, so they keep
 * their place in the line. Rows that were leased again or closed in the meantime are left alone.
 * Returns the ids that counted, with the lines of those that ended or that left a line of first
 * attempts (positions below 0). Attempts are logged by another statement in either case, because
 * they happened.
 *
 * The commit does not wait for the disk. If a crash of the server loses it, the deliveries are sent
 * again.
 */
export const SETTLE = statement(
  'deliveries.settle',
  {
    params: {
      ids: 'uuid[]',
      leases: 'int8[]',
      outcomes: 'text[]',
      attempts: 'int4[]',
      errors: 'text[]',
      dueAt: 'timestamptz[]',
    },
    columns: { id: 'uuid', spaceId: 'uuid', targetId: 'uuid', orderKey: nullable('uuid') },
  },
  `
  WITH r AS (
    SELECT *
    FROM
      unnest(
        :ids::uuid[],
        :leases::bigint[],
        :outcomes::text[],
        :attempts::int[],
        :errors::text[],
        :dueAt::timestamptz[]
      ) AS r (
        id,
        lease,
        outcome,
        attempts,
        error,
        due_at
      ),
      (SELECT set_config('synchronous_commit', 'off', true)) AS s
  ), ended AS (
    DELETE FROM delivery_queue q USING r
    WHERE q.id = r.id AND q.lease = r.lease AND r.outcome IN ('success', 'dead')
    RETURNING q.id, q.space_id, q.target_id, q.order_key, r.outcome, r.attempts, r.error
  ), logged AS (
    UPDATE deliveries d
    SET
      status = e.outcome,
      attempts = e.attempts,
      error = e.error,
      finished_at = clock_timestamp()
    FROM ended e
    WHERE d.id = e.id AND d.space_id = e.space_id
  ), tried AS (
    SELECT q.id, q.order_key
    FROM delivery_queue q
    JOIN r ON q.id = r.id AND q.lease = r.lease
    WHERE r.outcome = 'retry' AND q.order_position < 0 AND q.order_key IS NOT NULL
  ), again AS (
    UPDATE delivery_queue q
    SET
      lease = NULL,
      lease_owner = NULL,
      lease_until = NULL,
      due_at = coalesce(r.due_at, q.due_at),
      attempts = r.attempts,
      order_key = CASE WHEN r.outcome = 'retry' AND q.order_position < 0 THEN NULL ELSE q.order_key END,
      lane = CASE WHEN r.attempts > 0 AND q.lane = 0 THEN 1 ELSE q.lane END,
      postponed = (r.outcome = 'postponed')
    FROM r
    WHERE q.id = r.id AND q.lease = r.lease AND r.outcome IN ('retry', 'postponed')
    RETURNING q.id, q.space_id, q.target_id
  )
  SELECT id, space_id AS "spaceId", target_id AS "targetId", order_key AS "orderKey" FROM ended
  UNION ALL
  SELECT id, space_id, target_id, t.order_key FROM again LEFT JOIN tried t USING (id)
  `,
);

/** Logs attempts. */
export const LOG_ATTEMPTS = statement(
  'delivery_attempts.append',
  {
    params: {
      deliveryIds: 'uuid[]',
      spaceIds: 'uuid[]',
      attempts: 'int4[]',
      times: 'timestamptz[]',
      statusCodes: 'int4[]',
      durations: 'int4[]',
      errors: 'text[]',
      responses: 'text[]',
      headers: 'text[]',
    },
    columns: {},
  },
  `
  INSERT INTO delivery_attempts (
    delivery_id,
    space_id,
    attempt,
    at,
    status_code,
    duration_ms,
    error,
    response,
    headers
  )
  SELECT * FROM unnest(
    :deliveryIds::uuid[],
    :spaceIds::uuid[],
    :attempts::int[],
    :times::timestamptz[],
    :statusCodes::int[],
    :durations::int[],
    :errors::text[],
    :responses::text[],
    :headers::text[]
  )
  `,
);

/** Closes the breakers of targets that responded. */
export const CLOSE_BREAKERS = statement(
  'delivery_targets.close_breakers',
  `UPDATE delivery_targets SET failures = 0, open_until = NULL WHERE target_id = ANY($1::uuid[]) AND failures <> 0`,
  {},
);

/**
 * For the target t: whether it responded within the batch before it failed, and its consecutive
 * failures including the batch.
 */
const FRESH = `(SELECT fresh FROM unnest(:targetIds::uuid[], :fresh::bool[]) AS x (id, fresh) WHERE x.id = t.target_id)`;
const FAILURES = `CASE WHEN ${FRESH} THEN 0 ELSE t.failures END + excluded.failures`;
const OPENS_FOR = `clock_timestamp() + :openMs * interval '1 millisecond'`;

/**
 * Adds failures to the breakers of targets. At the threshold a breaker opens, or stays open, for
 * `openMs` milliseconds.
 */
export const COUNT_FAILURES = statement(
  'delivery_targets.count_failures',
  {
    params: {
      targetIds: 'uuid[]',
      spaceIds: 'uuid[]',
      kinds: 'text[]',
      failures: 'int4[]',
      fresh: 'bool[]',
      threshold: 'int4',
      openMs: 'float8',
    },
    columns: {},
  },
  `
  INSERT INTO delivery_targets AS t (
    target_id,
    space_id,
    kind,
    failures,
    open_until,
    opened_at
  )
  SELECT
    target_id,
    space_id,
    kind,
    n,
    CASE WHEN n >= :threshold THEN ${OPENS_FOR} END,
    CASE WHEN n >= :threshold THEN clock_timestamp() END
  FROM unnest(
    :targetIds::uuid[],
    :spaceIds::uuid[],
    :kinds::text[],
    :failures::int[],
    :fresh::bool[]
  ) AS f (
    target_id,
    space_id,
    kind,
    n,
    fresh
  )
  ORDER BY target_id
  ON CONFLICT (target_id) DO UPDATE
  SET
    failures = ${FAILURES},
    open_until = CASE WHEN ${FAILURES} >= :threshold THEN ${OPENS_FOR} END,
    opened_at = CASE WHEN t.open_until IS NULL OR ${FRESH} THEN clock_timestamp() ELSE coalesce(t.opened_at, clock_timestamp()) END,
    long_open_told = t.long_open_told AND t.open_until IS NOT NULL AND NOT ${FRESH},
    failed_at = clock_timestamp()
  `,
);

const BREAKERS_PER_LOOK = 500;

/**
 * Finds breakers that have been open for $1 milliseconds and were not reported. Unprepared, because
 * the table is sometimes empty and sometimes full.
 */
export const FIND_LONG_OPEN = statement(
  'delivery_targets.find_long_open',
  `SELECT target_id AS "targetId", space_id AS "spaceId", kind FROM delivery_targets
   WHERE open_until IS NOT NULL AND opened_at <= statement_timestamp() - $1 * interval '1 millisecond' AND NOT long_open_told
   ORDER BY opened_at LIMIT ${BREAKERS_PER_LOOK}`,
  { targetId: 'uuid', spaceId: 'uuid', kind: 'text' },
);

/**
 * Marks the target's breaker as reported. Returns no row if it has closed or another worker
 * reported it.
 */
export const MARK_LONG_OPEN = statement(
  'delivery_targets.mark_long_open',
  `UPDATE delivery_targets SET long_open_told = true WHERE target_id = $1 AND open_until IS NOT NULL AND NOT long_open_told RETURNING true AS marked`,
  { marked: 'bool' },
);

/**
 * Closes the pending counted deliveries of a target. Unprepared, because they may be none or all of
 * the queue.
 */
export const KILL_PENDING = statement(
  'deliveries.kill_pending',
  {
    params: {
      targetId: 'uuid',
      kind: 'text',
      error: 'text',
      limit: nullable('int4'),
    },
    columns: { n: 'int8' },
  },
  `
  WITH killed AS (
    DELETE FROM delivery_queue
    WHERE id = ANY(ARRAY(
      SELECT id FROM delivery_queue
      WHERE target_id = :targetId AND kind = :kind AND counts
      LIMIT :limit::int
    ))
    RETURNING id, space_id, attempts
  ), logged AS (
    UPDATE deliveries d
    SET
      status = 'dead',
      attempts = k.attempts,
      error = :error,
      finished_at = clock_timestamp()
    FROM killed k
    WHERE d.id = k.id AND d.space_id = k.space_id
  )
  SELECT count(*) AS n FROM killed
  `,
);

/** Closes those of the deliveries $1 that are not being sent, with the error $2. */
export const KILL_UNSENT = statement(
  'deliveries.kill_unsent',
  `WITH killed AS (
     DELETE FROM delivery_queue WHERE id = ANY(ARRAY(
       SELECT id FROM delivery_queue WHERE id = ANY($1::uuid[]) AND (lease_until IS NULL OR lease_until < statement_timestamp()) FOR UPDATE))
     RETURNING id, space_id, attempts
   ), logged AS (
     UPDATE deliveries d SET status = 'dead', attempts = k.attempts, error = $2, finished_at = clock_timestamp()
     FROM killed k WHERE d.id = k.id AND d.space_id = k.space_id
   ) SELECT id FROM killed`,
  { id: 'uuid' },
);

/**
 * Deletes the health records of receivers that work again, or without an attempt for $1 days, at
 * most $2 rows. Failed probes are recorded, so a receiver that still gets attempts is never among
 * the latter.
 */
export const DROP_OLD_TARGETS = statement(
  'delivery_targets.delete_old',
  `DELETE FROM delivery_targets WHERE target_id = ANY (ARRAY(
     SELECT target_id FROM delivery_targets WHERE failures = 0 OR failed_at < statement_timestamp() - $1::int * interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
