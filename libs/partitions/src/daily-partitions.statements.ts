import { statement } from '@tieline/platform/database';

/** The partitions of a table. */
export const PARTITIONS = statement(
  'partitions.list_partitions',
  'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
  { name: 'text' },
);
