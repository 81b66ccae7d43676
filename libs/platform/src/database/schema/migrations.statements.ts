import { nullable } from '../columns.js';
import { statement } from '../statement.js';

/** The applied migrations. The table of an older program has no `works_with` yet. */
export const APPLIED_MIGRATIONS = statement(
  'migrations.list_applied',
  `SELECT lib, name, checksum, to_jsonb(m) ->> 'works_with' AS "worksWith" FROM schema_migrations m`,
  { lib: 'text', name: 'text', checksum: 'text', worksWith: nullable('text') },
);

/** Version of the server: 180004 and 18.4. */
export const SERVER_VERSION = statement(
  'server.read_version',
  `SELECT current_setting('server_version_num')::int4 AS number, current_setting('server_version') AS version`,
  { number: 'int4', version: 'text' },
);
