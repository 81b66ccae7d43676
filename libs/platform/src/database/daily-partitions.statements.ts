import { statement } from './statement.js';

/** The partitions of a table. */
export const PARTITIONS = statement(
  'platform.partitions',
  'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
  { name: 'text' },
);
