import { nullable, statement } from '@tieline/platform/database';

/**
 * Maximum number of targets per claim. The next claim continues after them, so all get their turn.
 */
const TARGETS_PER_CLAIM = 400;

/**
 * A space may have this many times the places that it leaves free, which is seven eighths of a lane
 * when it is alone.
 */
const FREE_PLACES = 7;
/** With more spaces than this, each still gets this fraction of its share in one claim. */
const SPACES_PER_CLAIM = 8;

/**
 * The distinct targets with deliveries in the lane after the target `afterTarget`, and when the
 * first delivery of each is due. One index probe per target.
 */
const WALK = `RECURSIVE walk AS (
    (
      SELECT target_id, space_id, due_at, 1 AS n FROM delivery_queue
      WHERE lane = :lane AND target_id > :afterTarget
      ORDER BY target_id, due_at LIMIT 1
    )
    UNION ALL
    SELECT q.target_id, q.space_id, q.due_at, w.n + 1
    FROM walk w
    CROSS JOIN LATERAL (
      SELECT target_id, space_id, due_at FROM delivery_queue
      WHERE lane = :lane AND target_id > w.target_id
      ORDER BY target_id, due_at LIMIT 1
    ) q
    WHERE w.n < ${TARGETS_PER_CLAIM}
  )`;

/** The given targets, without a walk. */
const GIVEN_TARGETS = `walk AS (
    SELECT target_id, space_id, '-infinity'::timestamptz AS due_at, 0 AS n
    FROM unnest(:targetIds::uuid[], :spaceIds::uuid[]) AS w (target_id, space_id)
  )`;

/** The rows leased with their requests: columns of {@link CLAIMED_COLUMNS}. */
export const CLAIMED_SELECTION = `leased.id,
    leased.space_id AS "spaceId",
    leased.kind,
    leased.target_id AS "targetId",
    leased.attempts,
    leased.max_attempts AS "maxAttempts",
    leased.extended,
    leased.counts,
    leased.lease,
    d.event_id AS "eventId",
    d.event_type AS "eventType",
    d.headers,
    d.created_at AS "createdAt",
    d.redelivery_of IS NOT NULL AS resent,
    p.body`;
/** Joins the requests to the rows leased. Rows without a lease get none. */
export const CLAIMED_PARTS = `LEFT JOIN deliveries d ON d.id = leased.id AND d.space_id = leased.space_id AND leased.lease IS NOT NULL
  LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = leased.space_id`;

/** The leased deliveries with their requests, and a last row that says where the walk stopped. */
const LEASED_ROWS = `SELECT
    ${CLAIMED_SELECTION},
    leased.free,
    leased.share,
    NULL::uuid AS "lastTarget",
    NULL::boolean AS "isLimited"
  FROM leased
  ${CLAIMED_PARTS}
  UNION ALL
  SELECT
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    (SELECT target_id FROM walk WHERE n = ${TARGETS_PER_CLAIM}),
    EXISTS (SELECT 1 FROM room WHERE free <= 0) OR EXISTS (SELECT 1 FROM space WHERE share <= 0)`;

const claimOf = (walk: string): string => `
  WITH ${walk}, busy AS (
    SELECT * FROM unnest(:busyTargetIds::uuid[], :busyCounts::int[]) AS b (target_id, n)
  ), room AS (
    SELECT
      w.target_id,
      w.space_id,
      CASE
        WHEN t.open_until IS NULL OR :lane = 2 THEN :perTarget - coalesce(b.n, 0)
        WHEN w.target_id = ANY(:probes::uuid[]) THEN 1
      END AS free
    FROM walk w
    LEFT JOIN busy b USING (target_id)
    LEFT JOIN delivery_targets t USING (target_id)
    WHERE w.due_at <= statement_timestamp()
  ), space AS (
    SELECT
      r.space_id,
      r.targets,
      r.free,
      coalesce(b.n, 0) AS places,
      least(
        ceil((${FREE_PLACES} * :limit::int - coalesce(b.n, 0)) / ${FREE_PLACES + 1}.0),
        ceil(${FREE_PLACES} * :limit::int / (1.0 + ${FREE_PLACES} * least(count(*) OVER (), ${SPACES_PER_CLAIM}))),
        CASE WHEN r.space_id = :onlySpace::uuid THEN :limit::int ELSE :perSpace::int END
      )::int AS share
    FROM (
      SELECT space_id, array_agg(target_id) AS targets, array_agg(free) AS free
      FROM (SELECT * FROM room WHERE free > 0 ORDER BY random()) r
      GROUP BY space_id
    ) r
    LEFT JOIN unnest(:placeSpaceIds::uuid[], :placeCounts::int[]) AS b (space_id, n) USING (space_id)
  ), due AS (
    SELECT q.id, q.free, s.share
    FROM (SELECT * FROM space WHERE share > 0 ORDER BY places, random()) s
    CROSS JOIN LATERAL (
      SELECT d.id, r.free
      FROM unnest(s.targets, s.free) AS r (target_id, free)
      CROSS JOIN LATERAL (
        SELECT id FROM delivery_queue
        WHERE lane = :lane
          AND target_id = r.target_id
          AND due_at <= statement_timestamp()
          AND (lease_until IS NULL OR lease_until < statement_timestamp())
        ORDER BY due_at LIMIT r.free FOR UPDATE SKIP LOCKED
      ) d
      LIMIT s.share
    ) q
    LIMIT :limit
  ), leased AS (
    UPDATE delivery_queue q
    SET
      lease = l.lease,
      lease_owner = :owner,
      lease_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
    FROM due, (
      SELECT nextval('delivery_lease') AS lease, set_config('synchronous_commit', 'off', true)
    ) l
    WHERE q.id = due.id
    RETURNING
      q.id,
      q.space_id,
      q.kind,
      q.target_id,
      q.attempts,
      q.max_attempts,
      q.extended,
      q.counts,
      q.lease,
      due.free,
      due.share
  )
  ${LEASED_ROWS}
  `;

/** Parameters of both claims. */
const LIMITS = {
  busyTargetIds: 'uuid[]',
  busyCounts: 'int4[]',
  perTarget: 'int4',
  probes: 'uuid[]',
  limit: 'int4',
  owner: 'int4',
  leaseMs: 'float8',
  placeSpaceIds: 'uuid[]',
  placeCounts: 'int4[]',
  perSpace: 'int4',
  onlySpace: 'uuid',
} as const;

/**
 * A leased delivery. Those without a log row (possible after restoring an old backup) have no
 * request.
 */
export const CLAIMED_COLUMNS = {
  id: 'uuid',
  spaceId: 'uuid',
  kind: 'text',
  targetId: 'uuid',
  attempts: 'int4',
  maxAttempts: 'int4',
  extended: 'bool',
  counts: 'bool',
  lease: 'int8',
  eventId: nullable('uuid'),
  eventType: nullable('text'),
  headers: nullable('text'),
  createdAt: nullable('timestamptz'),
  resent: 'bool',
  body: nullable('bytea'),
} as const;

const CLAIMED = {
  ...CLAIMED_COLUMNS,
  id: nullable('uuid'),
  free: 'int4',
  share: 'int4',
  lastTarget: nullable('uuid'),
  isLimited: nullable('bool'),
} as const;

/**
 * Visits the targets with deliveries in a lane. Takes from each as many as it has free places,
 * oldest first, and leases them. Skips rows that another claim is taking. A target with an open
 * breaker gives one delivery if it is among the probes, otherwise none. Test sends (lane 2) ignore
 * breakers, because admins use them to try a repaired receiver.
 *
 * No space gets more than seven times the places it leaves free, so others always find one. Spaces
 * with the fewest places come first, and the targets of a space in random order. `placeCounts` are
 * the places of the spaces `placeSpaceIds`. `perSpace` limits each space's deliveries per claim,
 * except those of `onlySpace`.
 *
 * Every WHERE uses statement_timestamp(), because clock_timestamp() can't be the condition of an
 * index scan. Postponed rows are therefore never read.
 *
 * The commit does not wait for the disk. If a crash of the server loses the lease, the delivery is
 * claimed again.
 *
 * `free` and `share` are the places that the target and the space had. The last row contains only
 * `lastTarget` (where the walk stopped, or null if it reached the end), and `isLimited`: whether a
 * target or space with due deliveries had no place.
 */
export const CLAIM = statement(
  'deliveries.claim',
  {
    params: { lane: 'int2', afterTarget: 'uuid', ...LIMITS },
    columns: CLAIMED,
  },
  claimOf(WALK),
);

/** {@link CLAIM} of only the targets `targetIds` with the spaces `spaceIds`, without a walk. */
export const CLAIM_OF = statement(
  'deliveries.claim_of_targets',
  {
    params: { lane: 'int4', targetIds: 'uuid[]', ...LIMITS, spaceIds: 'uuid[]' },
    columns: CLAIMED,
  },
  claimOf(GIVEN_TARGETS),
);

/** Targets that may be probed. */
const PROBED = `t.open_until <= statement_timestamp()
     AND EXISTS (SELECT 1 FROM delivery_queue q WHERE q.target_id = t.target_id AND q.lane IN (0, 1) AND q.due_at <= statement_timestamp())`;

/** Whether a probe can be granted. */
export const PROBES_ARE_DUE = statement(
  'delivery_targets.check_probes',
  `SELECT EXISTS (SELECT 1 FROM delivery_targets t WHERE ${PROBED}) AS due`,
  { due: 'bool' },
);

/**
 * Grants a probe to each target that has deliveries and whose breaker has been open long enough.
 * The probe goes to one lane, to retries before first attempts. Failed probes therefore use up the
 * attempts of one delivery after another, and the dead letters of a dead receiver are counted. With
 * a new delivery for every probe, none would reach its last attempt.
 */
export const GRANT_PROBES = statement(
  'delivery_targets.grant_probes',
  `UPDATE delivery_targets t SET open_until = clock_timestamp() + $1 * interval '1 millisecond'
   WHERE ${PROBED}
   RETURNING t.target_id AS "targetId",
     CASE WHEN EXISTS (SELECT 1 FROM delivery_queue q WHERE q.target_id = t.target_id AND q.lane = 1 AND q.due_at <= statement_timestamp()) THEN 1 ELSE 0 END AS lane`,
  { targetId: 'uuid', lane: 'int4' },
);
