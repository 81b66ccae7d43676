import { nullable, statement, text } from '@tieline/platform/database';

// Subqueries instead of joins: a plan for many rows would hash a whole table instead of looking
// these up.
const LAST_CODE = `(SELECT a.status_code FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.space_id = d.space_id AND a.status_code IS NOT NULL
    ORDER BY a.attempt DESC LIMIT 1)`;
const LATER_STATUS = `(SELECT r.status FROM deliveries r WHERE r.id = d.redelivered_as AND r.space_id = d.space_id)`;

/**
 * Joins the last attempt to the rows of a page. The LIMIT forces a lookup per row, whatever number
 * of rows the planner expects.
 */
const LAST_ATTEMPT = `LEFT JOIN LATERAL (SELECT a.status_code, a.duration_ms FROM delivery_attempts a
  WHERE a.delivery_id = d.id AND a.space_id = d.space_id ORDER BY a.attempt DESC, a.at DESC LIMIT 1) a ON true`;

const SUMMARY = `d.id,
    d.kind,
    d.target_id AS "targetId",
    d.event_id AS "eventId",
    d.event_type AS "eventType",
    d.status,
    coalesce(q.attempts, d.attempts) AS attempts,
    d.error,
    d.created_at AS "createdAt",
    nullif(greatest(q.due_at, CASE WHEN q.lane <> 2 THEN t.open_until END), 'infinity') AS "nextAttemptAt",
    d.redelivered_as AS "redeliveredAs"`;
const JOINS = `LEFT JOIN delivery_queue q ON q.id = d.id
  LEFT JOIN delivery_targets t ON q.id IS NOT NULL AND t.target_id = d.target_id`;
const SUMMARY_COLUMNS = {
  id: 'uuid',
  kind: 'text',
  targetId: 'uuid',
  eventId: 'uuid',
  eventType: 'text',
  status: text<'pending' | 'success' | 'dead'>(),
  attempts: 'int4',
  error: nullable('text'),
  createdAt: 'timestamptz',
  nextAttemptAt: nullable('timestamptz'),
  redeliveredAs: nullable('uuid'),
} as const;
const LISTED_COLUMNS = {
  ...SUMMARY_COLUMNS,
  lastCode: nullable('int4'),
  lastMs: nullable('int4'),
} as const;

/** Number of deliveries that one page looks at. Rare matches take several pages of equal cost. */
export const SCANNED = 10_000;

/**
 * The log of one target between two ids. Dead deliveries have an error, no others do, and there is
 * an index on that.
 */
const LOG = `FROM deliveries
    WHERE target_id = :targetId AND space_id = :spaceId AND kind = :kind AND id < :before AND id >= :from`;
const DEAD = `${LOG} AND error IS NOT NULL AND status = 'dead'`;
const RANGE = {
  targetId: 'uuid',
  spaceId: 'uuid',
  kind: 'text',
  before: 'uuid',
  from: 'uuid',
} as const;

/** `unrecovered` excludes deliveries whose redelivery succeeded. */
const LIST = {
  params: {
    ...RANGE,
    status: nullable('text'),
    eventType: nullable('text'),
    code: nullable('int4'),
    since: nullable('timestamptz'),
    until: nullable('timestamptz'),
    unrecovered: 'bool',
    limit: 'int8',
  },
  columns: LISTED_COLUMNS,
} as const;
const listOf = (source: string): string => `
  WITH d AS MATERIALIZED (
    SELECT * FROM (SELECT * ${source} ORDER BY id DESC LIMIT ${SCANNED}) d
    WHERE (:status::text IS NULL OR d.status = :status)
      AND (:eventType::text IS NULL OR d.event_type = :eventType)
      AND (:code::int IS NULL OR ${LAST_CODE} = :code)
      AND (:since::timestamptz IS NULL OR d.created_at >= :since)
      AND (:until::timestamptz IS NULL OR d.created_at < :until)
      AND NOT (:unrecovered AND coalesce(${LATER_STATUS} = 'success', false))
    ORDER BY d.id DESC LIMIT :limit
  )
  SELECT
    ${SUMMARY},
    a.status_code AS "lastCode",
    a.duration_ms AS "lastMs"
  FROM d
  ${JOINS}
  ${LAST_ATTEMPT}
  ORDER BY d.id DESC
  `;

const END = { params: RANGE, columns: { id: 'uuid' } } as const;
const endOf = (source: string): string =>
  `SELECT id ${source} ORDER BY id DESC OFFSET ${SCANNED - 1} LIMIT 1`;

/**
 * A page of the log of one target, newest first. Unprepared, because a plan that fits any filter
 * and cursor would use neither.
 */
export const LIST_DELIVERIES = statement('deliveries.list', LIST, listOf(LOG));

/** The same for dead letters. */
export const LIST_DEAD_LETTERS = statement('deliveries.list_dead', LIST, listOf(DEAD));

/** The last delivery that {@link LIST_DELIVERIES} looks at, or none at the end of the log. */
export const END_OF_PAGE = statement('deliveries.find_end_of_page', END, endOf(LOG));

/** The same for {@link LIST_DEAD_LETTERS}. */
export const END_OF_DEAD_PAGE = statement('deliveries.find_end_of_dead_page', END, endOf(DEAD));

/**
 * Finds one delivery. Unprepared, because only a plan for this id excludes the other days'
 * partitions.
 */
export const FIND_DELIVERY = statement(
  'deliveries.find',
  `
  SELECT
    ${SUMMARY},
    d.headers,
    d.payload_id AS "payloadId",
    p.body
  FROM deliveries d
  ${JOINS}
  LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = d.space_id
  WHERE d.id = $1 AND d.space_id = $2
  `,
  { ...SUMMARY_COLUMNS, headers: 'text', payloadId: 'uuid', body: nullable('bytea') },
);

/** The attempts of one delivery, oldest first. Unprepared like {@link FIND_DELIVERY}. */
export const LIST_ATTEMPTS = statement(
  'delivery_attempts.list',
  `
  SELECT
    headers,
    at,
    status_code AS "statusCode",
    duration_ms AS "durationMs",
    error,
    response
  FROM delivery_attempts
  WHERE delivery_id = $1 AND space_id = $2
  ORDER BY at, attempt
  `,
  {
    headers: nullable('text'),
    at: 'timestamptz',
    statusCode: nullable('int4'),
    durationMs: 'int4',
    error: nullable('text'),
    response: 'text',
  },
);

/**
 * Records that the deliveries $2 were redelivered as $3, and so were those that they were
 * redeliveries of. The caller holds the row lock of the target, so redeliveries to one target are
 * serialized.
 */
export const NOTE_REDELIVERY = statement(
  'deliveries.record_redelivery',
  `WITH RECURSIVE earlier AS (
     SELECT id, later, 1 AS n FROM unnest($2::uuid[], $3::uuid[]) AS g(id, later)
     UNION ALL
     SELECT d.redelivery_of, e.later, e.n + 1 FROM earlier e JOIN deliveries d ON d.id = e.id AND d.space_id = $1
      WHERE d.redelivery_of IS NOT NULL AND e.n < 100
   ), linked AS (
     UPDATE deliveries d SET redelivery_of = g.id FROM unnest($2::uuid[], $3::uuid[]) AS g(id, later)
      WHERE d.id = g.later AND d.id = ANY ($3::uuid[]) AND d.space_id = $1
   )
   UPDATE deliveries d SET redelivered_as = e.later FROM earlier e
    WHERE d.id = e.id AND d.id = ANY (ARRAY(SELECT id FROM earlier)) AND d.space_id = $1`,
  {},
);
