import { statement } from '../statement.js';

const PAGE_BYTES = 8192;
/** Tables with fewer pages are skipped: reading all of them costs little. */
const FEW_PAGES = 4;
/** Tables with more pages are left to autovacuum: a minute of growth changes no plan. */
const MANY_PAGES = 16_384;

/**
 * The quoted names of tables that are more than twice as large as at their last ANALYZE, including
 * queues that were empty.
 */
export const GROWN_TABLES = statement(
  'statistics.list_grown_tables',
  `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname IN (current_schema(), 'bullmq') AND c.relpages < ${MANY_PAGES}
      AND pg_relation_size(c.oid) / ${PAGE_BYTES} > 2 * c.relpages + ${FEW_PAGES}
      AND pg_has_role(c.relowner, 'USAGE')`,
  { name: 'text' },
);

/** Whether there is such a table. */
export const TABLES_HAVE_GROWN = statement(
  'statistics.check_growth',
  `SELECT EXISTS (${GROWN_TABLES.text}) AS due`,
  { due: 'bool' },
);
