import { statement } from '../statement.js';

/**
 * Returns the server processes among `$1` that are executing a statement. Leaves out processes that
 * are blocked while sending a result.
 */
export const AT_WORK = statement(
  'connections.find_active',
  `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1::int4[]) AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientWrite'`,
  { pid: 'int4' },
);
