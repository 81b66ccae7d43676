import { statement } from '../statement.js';

/**
 * Those of the server's processes `$1` that are at work for their clients; one that cannot get rid
 * of its answer is not.
 */
export const AT_WORK = statement(
  'platform.at_work',
  `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1::int4[]) AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientWrite'`,
  { pid: 'int4' },
);
