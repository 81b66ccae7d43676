import { statement } from './statement.js';

/** What the migrations have done so far. */
export const APPLIED_MIGRATIONS = statement(
  'platform.applied_migrations',
  'SELECT lib, name, checksum FROM schema_migrations',
  { lib: 'text', name: 'text', checksum: 'text' },
);
