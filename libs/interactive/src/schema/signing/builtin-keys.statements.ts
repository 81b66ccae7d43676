import { nullable, statement } from '@tieline/platform/database';

/** $1 space */
export const FIND_BUILTIN_KEY = statement(
  'builtin_component_keys.find',
  'SELECT key, sealed_key AS "sealedKey" FROM builtin_component_keys WHERE space_id = $1',
  { key: nullable('bytea'), sealedKey: nullable('bytea') },
);

/** Of concurrent inserts one succeeds. $1 space, $2 sealed key */
export const INSERT_BUILTIN_KEY = statement(
  'builtin_component_keys.insert',
  'INSERT INTO builtin_component_keys (space_id, sealed_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);

/**
 * Seals a key stored before keys were sealed. Of concurrent calls one succeeds. $1 space, $2 sealed
 * key
 */
export const SEAL_BUILTIN_KEY = statement(
  'builtin_component_keys.save_sealed',
  'UPDATE builtin_component_keys SET sealed_key = $2, key = NULL WHERE space_id = $1 AND sealed_key IS NULL',
  {},
);
