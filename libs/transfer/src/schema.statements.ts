import { nullable, statement } from '@tieline/platform/database';

/**
 * The tables whose rows are moved: without UNLOGGED ones, which a crash of the server may empty,
 * without the record of migrations, and without tables that workers build from others (their
 * comment is `derived`). Partitions come with their table.
 */
export const TABLES = statement(
  'schema.list_tables',
  `SELECT c.relname::text AS name,
     array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
     bool_or(a.attname = 'space_id') AS "ofSpaces"
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relpersistence = 'p' AND c.relname <> 'schema_migrations'
     AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM 'derived'
   GROUP BY c.oid ORDER BY c.relname`,
  { name: 'text', columns: 'text[]', ofSpaces: 'bool' },
);

/** Every partition with its bound and its storage parameters, as in the catalog. */
export const PARTITIONS = statement(
  'schema.list_partitions',
  `SELECT c.relname::text AS name, p.relname::text AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound,
     array_to_string(c.reloptions, ', ') AS storage
   FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relispartition ORDER BY c.relname`,
  { name: 'text', parent: 'text', bound: 'text', storage: nullable('text') },
);

/** The last values of the sequences that have been used. */
export const SEQUENCES = statement(
  'schema.list_sequences',
  `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
   WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  { name: 'text', value: 'text' },
);

/** Sets a sequence, if there is one of that name. $1 its name, $2 its last value. */
export const SET_SEQUENCE = statement(
  'schema.set_sequence',
  `SELECT setval(c.oid::regclass, $2::bigint)::text AS value FROM pg_class c
   WHERE c.relname = $1::text AND c.relkind = 'S' AND c.relnamespace = current_schema()::regnamespace`,
  { value: 'text' },
);

export const FOREIGN_KEYS = statement(
  'schema.list_foreign_keys',
  `SELECT conname::text AS name, conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS definition FROM pg_constraint
   WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0 ORDER BY conname`,
  { name: 'text', table: 'text', definition: 'text' },
);

/** The migrations that the rows belong to. */
export const MIGRATIONS = statement(
  'schema.list_migrations',
  `SELECT array_agg(lib || '/' || name ORDER BY lib, name) AS names FROM schema_migrations`,
  { names: 'text[]' },
);
