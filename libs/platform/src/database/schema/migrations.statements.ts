import { nullable } from '../columns.js';
import { statement } from '../statement.js';

/** What the migrations have done so far. The table of an older program has no `works_with` yet. */
export const APPLIED_MIGRATIONS = statement(
  'platform.applied_migrations',
  `SELECT lib, name, checksum, to_jsonb(m) ->> 'works_with' AS "worksWith" FROM schema_migrations m`,
  { lib: 'text', name: 'text', checksum: 'text', worksWith: nullable('text') },
);
