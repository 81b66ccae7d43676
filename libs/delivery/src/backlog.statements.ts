import { statement } from '@tieline/platform/database';

/** Maximum number of targets per scrape. */
const TARGETS_PER_SCRAPE = 10_000;
/** Maximum number of rows of a table or lane that a scrape counts. */
const COUNTED = 100_000;
/**
 * Maximum number of due deliveries counted per target. The count shows how many workers are needed,
 * and more than this per target would not need more of them.
 */
const DUE_OF_TARGET = 100;
const DUE_COUNTED = 10_000;

const countOfLane = (lane: number): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM delivery_queue WHERE lane = ${lane} LIMIT ${COUNTED}) l)`;

/**
 * Reads the backlog for metrics. Unprepared, because the tables are sometimes empty and sometimes
 * full. Finds the oldest due delivery like a claim does, by reading the first one of each target.
 * Skips later deliveries, those behind an open breaker, and lines that their target's rate holds
 * up.
 */
export const BACKLOG = statement(
  'deliveries.read_backlog',
  `WITH RECURSIVE walk AS (
     (SELECT lane, target_id, 1 AS n FROM delivery_queue ORDER BY lane, target_id LIMIT 1)
     UNION ALL
     SELECT next.lane, next.target_id, w.n + 1 FROM walk w CROSS JOIN LATERAL (
       SELECT q.lane, q.target_id FROM delivery_queue q WHERE (q.lane, q.target_id) > (w.lane, w.target_id) ORDER BY q.lane, q.target_id LIMIT 1
     ) next WHERE w.n < ${TARGETS_PER_SCRAPE}
   ), first_due AS (
     SELECT w.lane, w.target_id, (SELECT CASE WHEN NOT q.postponed THEN q.due_at END FROM delivery_queue q WHERE q.lane = w.lane AND q.target_id = w.target_id AND q.due_at < statement_timestamp() AND q.lease IS NULL
       ORDER BY q.due_at LIMIT 1) AS due_at
     FROM walk w LEFT JOIN delivery_targets t ON t.target_id = w.target_id WHERE w.lane = 2 OR t.open_until IS NULL
   )
   SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ${COUNTED}) o) AS events,
     ${countOfLane(0)} AS first, ${countOfLane(1)} AS retry, ${countOfLane(2)} AS test,
     (SELECT count(*) FROM (SELECT 1 FROM first_due w CROSS JOIN LATERAL (
       SELECT 1 FROM delivery_queue q WHERE q.lane = w.lane AND q.target_id = w.target_id AND q.due_at < statement_timestamp() AND q.lease IS NULL
       ORDER BY q.due_at LIMIT ${DUE_OF_TARGET}) q WHERE w.due_at IS NOT NULL LIMIT ${DUE_COUNTED}) d) AS sendable,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM outbox ORDER BY id LIMIT 1), 0) AS age,
     (SELECT count(*) FROM delivery_targets WHERE open_until IS NOT NULL) AS breakers,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8 FROM first_due), 0) AS due`,
  {
    events: 'int8',
    first: 'int8',
    retry: 'int8',
    test: 'int8',
    sendable: 'int8',
    age: 'float8',
    breakers: 'int8',
    due: 'float8',
  },
);

/**
 * Finds the oldest snapshot. Rows deleted since then stay in their table. The age in transactions
 * covers sessions, prepared transactions and replication slots, the age in seconds only sessions.
 * The server shows sessions of other users only to members of pg_read_all_stats.
 */
export const OLDEST_SNAPSHOT = statement(
  'snapshots.find_oldest',
  `SELECT coalesce((SELECT max(age(xmin)) FROM (SELECT backend_xmin FROM pg_stat_activity UNION ALL SELECT transaction FROM pg_prepared_xacts
       UNION ALL SELECT xmin FROM pg_replication_slots UNION ALL SELECT catalog_xmin FROM pg_replication_slots) AS s(xmin) WHERE xmin IS NOT NULL), 0)::int8 AS transactions,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::float8 FROM pg_stat_activity WHERE backend_xmin IS NOT NULL), 0) AS seconds`,
  { transactions: 'int8', seconds: 'float8' },
);
