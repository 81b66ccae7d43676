import { statement } from '@tieline/platform/database';

/** $1 space */
export const FIND_BUILTIN_KEY = statement(
  'interactive.find_builtin_key',
  'SELECT key FROM builtin_component_keys WHERE space_id = $1',
  { key: 'bytea' },
);

/** Of several at once one makes the key. $1 space, $2 key */
export const INSERT_BUILTIN_KEY = statement(
  'interactive.insert_builtin_key',
  'INSERT INTO builtin_component_keys (space_id, key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);
