import { statement } from '../statement.js';

/**
 * Those of the server processes `$1` that are executing a statement. A process that is blocked
 * while sending its result is left out.
 */
export const AT_WORK = statement(
  'platform.at_work',
  `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1::int4[]) AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientWrite'`,
  { pid: 'int4' },
);
