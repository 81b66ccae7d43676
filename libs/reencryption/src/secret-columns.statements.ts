import { statement } from '@tieline/platform/database';

/** The columns of a table and their types. */
export const COLUMN_TYPES = statement(
  'secret_columns.list_types',
  `SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
  { name: 'text', type: 'text' },
);
