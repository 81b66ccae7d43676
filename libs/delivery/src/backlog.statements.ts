import { statement } from '@tieline/platform/database';

/** What waits, for the metrics. Its text is sent alone, unprepared: the tables are empty now and full later. */
export const BACKLOG = statement(
  'delivery_backlog',
  `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT 100000) o) AS events,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM outbox ORDER BY id LIMIT 1), 0) AS age,
     (SELECT count(*) FROM delivery_targets WHERE open_until IS NOT NULL) AS breakers,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8 FROM delivery_queue q WHERE due_at < statement_timestamp() AND lease IS NULL
       AND NOT EXISTS (SELECT 1 FROM delivery_targets t WHERE q.lane <> 2 AND t.target_id = q.target_id AND t.open_until IS NOT NULL)), 0) AS due`,
  { events: 'int8', age: 'float8', breakers: 'int8', due: 'float8' },
);

/**
 * The oldest snapshot that anything holds on to: what was deleted since stays in its table. Its age in transactions counts
 * sessions, prepared transactions and replication slots, the one in seconds sessions alone; of other users' sessions the server
 * tells only members of pg_read_all_stats.
 */
export const OLDEST_SNAPSHOT = statement(
  'delivery_oldest_snapshot',
  `SELECT coalesce((SELECT max(age(xmin)) FROM (SELECT backend_xmin FROM pg_stat_activity UNION ALL SELECT transaction FROM pg_prepared_xacts
       UNION ALL SELECT xmin FROM pg_replication_slots UNION ALL SELECT catalog_xmin FROM pg_replication_slots) AS s(xmin) WHERE xmin IS NOT NULL), 0)::int8 AS transactions,
     coalesce((SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::float8 FROM pg_stat_activity WHERE backend_xmin IS NOT NULL), 0) AS seconds`,
  { transactions: 'int8', seconds: 'float8' },
);
