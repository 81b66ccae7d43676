import { nullable, statement } from '@tieline/platform/database';

/** Lifetime of answers (docs/api-conventions.md#idempotency-keys). */
const LIFE = `interval '24 hours'`;

/**
 * Claims a key that is free or expired. Returns no row if it is in use. Waits for a concurrent
 * request with the same key.
 */
export const TAKE_KEY = statement(
  'idempotency_take',
  `INSERT INTO idempotency_keys AS k (space_id, scope, key, fingerprint) VALUES ($1, $2, $3, $4)
   ON CONFLICT (space_id, scope, key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = NULL, created_at = excluded.created_at
     WHERE k.created_at < statement_timestamp() - ${LIFE}
   RETURNING true AS mine`,
  { mine: 'bool' },
);

/** Stores the answer of the request that took the key. */
export const KEEP_ANSWER = statement(
  'idempotency_keep',
  'UPDATE idempotency_keys SET answer = $4 WHERE space_id = $1 AND scope = $2 AND key = $3',
  {},
);

/** The fingerprint and answer of the first request with the key. */
export const FIND_ANSWER = statement(
  'idempotency_find',
  'SELECT fingerprint, answer FROM idempotency_keys WHERE space_id = $1 AND scope = $2 AND key = $3',
  { fingerprint: 'bytea', answer: nullable('text') },
);

/** Like {@link FIND_ANSWER}, outside a transaction. Returns no row if the key has expired. */
export const FIND_LIVE_ANSWER = statement(
  'idempotency_find_live',
  `SELECT fingerprint, answer FROM idempotency_keys
   WHERE space_id = $1 AND scope = $2 AND key = $3 AND created_at >= statement_timestamp() - ${LIFE}`,
  { fingerprint: 'bytea', answer: nullable('text') },
);

/** Deletes expired keys, at most this many. */
export const DROP_OLD_KEYS = statement(
  'idempotency_drop_old',
  `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM idempotency_keys WHERE created_at < statement_timestamp() - ${LIFE} LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1 AS n`,
  { n: 'int4' },
);
