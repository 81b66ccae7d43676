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
