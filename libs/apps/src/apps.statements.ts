import { statement } from '@tieline/platform/database';

/** Counts the apps of space $1. */
export const COUNT_APPS = statement(
  'apps.count',
  'SELECT count(*) AS count FROM apps WHERE space_id = $1 AND deleted_at IS NULL',
  { count: 'int8' },
);
