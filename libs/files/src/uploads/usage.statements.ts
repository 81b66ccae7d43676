import { statement, text } from '@tieline/platform/database';
import type { Plan } from '@tieline/spaces';

/**
 * Returns the bytes used by a space's files, and its plan. The caller has just increased the number
 * and therefore holds the row's lock.
 */
export const USAGE = statement(
  'file_usage.find_usage',
  'SELECT u.bytes, s.plan FROM file_usage u JOIN spaces s ON s.id = u.space_id WHERE u.space_id = $1',
  { bytes: 'int8', plan: text<Plan>() },
);
