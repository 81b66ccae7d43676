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

const SUMMARY = `d.id, d.kind, d.target_id, d.event_id, d.event_type, d.status, coalesce(q.attempts, d.attempts) AS attempts, d.error, d.created_at,
  nullif(greatest(q.due_at, CASE WHEN q.lane <> 2 THEN t.open_until END), 'infinity') AS next_attempt_at, d.redelivered_as`;
const JOINS = `LEFT JOIN delivery_queue q ON q.id = d.id LEFT JOIN delivery_targets t ON q.id IS NOT NULL AND t.target_id = d.target_id`;
const SUMMARY_COLUMNS = {
  id: 'uuid',
  kind: 'text',
  target_id: 'uuid',
  event_id: 'uuid',
  event_type: 'text',
  status: text<'pending' | 'success' | 'dead'>(),
  attempts: 'int4',
  error: nullable('text'),
  created_at: 'timestamptz',
  next_attempt_at: nullable('timestamptz'),
  redelivered_as: nullable('uuid'),
} as const;
const LISTED_COLUMNS = {
  ...SUMMARY_COLUMNS,
  last_code: nullable('int4'),
  last_ms: nullable('int4'),
} as const;

/** Number of deliveries that one page looks at. Rare matches take several pages of equal cost. */
export const SCANNED = 10_000;

/**
 * The log of one target between two ids. Dead deliveries have an error, no others do, and there is
 * an index on that.
 */
const LOG = `FROM deliveries WHERE target_id = $1 AND space_id = $2 AND kind = $3 AND id < $4 AND id >= $5`;
const DEAD = `${LOG} AND error IS NOT NULL AND status = 'dead'`;

const listOf = (source: string): string =>
  `WITH d AS MATERIALIZED (
     SELECT * FROM (SELECT * ${source} ORDER BY id DESC LIMIT ${SCANNED}) d
     WHERE ($6::text IS NULL OR d.status = $6) AND ($7::text IS NULL OR d.event_type = $7) AND ($8::int IS NULL OR ${LAST_CODE} = $8)
       AND ($9::timestamptz IS NULL OR d.created_at >= $9) AND ($10::timestamptz IS NULL OR d.created_at < $10)
       AND NOT ($11 AND coalesce(${LATER_STATUS} = 'success', false))
     ORDER BY d.id DESC LIMIT $12
   ) SELECT ${SUMMARY}, a.status_code AS last_code, a.duration_ms AS last_ms FROM d ${JOINS} ${LAST_ATTEMPT} ORDER BY d.id DESC`;
const endOf = (source: string): string =>
  `SELECT id ${source} ORDER BY id DESC OFFSET ${SCANNED - 1} LIMIT 1`;

/**
 * A page of the log of one target, newest first. $4 and $5: below which id and from which id; then
 * status, event type, code, since, until; $11: exclude those whose redelivery succeeded.
 * Unprepared, because a plan that fits any filter and cursor would use neither.
 */
export const LIST_DELIVERIES = statement('delivery_list', listOf(LOG), LISTED_COLUMNS);

/** The same for dead letters. */
export const LIST_DEAD_LETTERS = statement('delivery_list_dead', listOf(DEAD), LISTED_COLUMNS);

/** The last delivery that {@link LIST_DELIVERIES} looks at, or none at the end of the log. */
export const END_OF_PAGE = statement('delivery_list_end', endOf(LOG), { id: 'uuid' });

/** The same for {@link LIST_DEAD_LETTERS}. */
export const END_OF_DEAD_PAGE = statement('delivery_list_dead_end', endOf(DEAD), { id: 'uuid' });

/**
 * Finds one delivery. Unprepared, because only a plan for this id excludes the other days'
 * partitions.
 */
export const FIND_DELIVERY = statement(
  'delivery_find',
  `SELECT ${SUMMARY}, d.headers, d.payload_id, p.body FROM deliveries d ${JOINS}
     LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = d.space_id
   WHERE d.id = $1 AND d.space_id = $2`,
  { ...SUMMARY_COLUMNS, headers: 'text', payload_id: 'uuid', body: nullable('bytea') },
);

/** The attempts of one delivery, oldest first. Unprepared like {@link FIND_DELIVERY}. */
export const LIST_ATTEMPTS = statement(
  'delivery_list_attempts',
  `SELECT headers, at, status_code, duration_ms, error, response FROM delivery_attempts WHERE delivery_id = $1 AND space_id = $2 ORDER BY at, attempt`,
  {
    headers: nullable('text'),
    at: 'timestamptz',
    status_code: nullable('int4'),
    duration_ms: 'int4',
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
  'delivery_note_redelivery',
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
