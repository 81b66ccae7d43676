import { statement } from '../statement.js';

const PAGE_BYTES = 8192;
/** So many pages are no more than a plan may read by mistake. */
const FEW_PAGES = 4;
/**
 * What a larger table has more in a minute changes no plan, and the server's own analysis is soon
 * enough.
 */
const MANY_PAGES = 16_384;

/**
 * Tables that are more than twice as large as when the server last counted them, a queue that was
 * empty among them. Their quoted names.
 */
export const GROWN_TABLES = statement(
  'platform.grown_tables',
  `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname IN (current_schema(), 'bullmq') AND c.relpages < ${MANY_PAGES}
      AND pg_relation_size(c.oid) / ${PAGE_BYTES} > 2 * c.relpages + ${FEW_PAGES}
      AND pg_has_role(c.relowner, 'USAGE')`,
  { name: 'text' },
);
