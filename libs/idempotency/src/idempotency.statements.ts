import { nullable, statement } from '@tieline/platform/database';

/** Lifetime of answers (docs/api-conventions.md#idempotency-keys). */
const LIFE = `interval '24 hours'`;

/**
 * Claims a key that is free or expired. Returns no row if it is in use. Waits for a concurrent
 * request with the same key.
 */
export const TAKE_KEY = statement(
  'idempotency_keys.take_key',
  {
    params: {
      spaceId: 'uuid',
      scope: 'text',
      key: 'text',
      fingerprint: 'bytea',
    },
    columns: { mine: 'bool' },
  },
  `
  INSERT INTO idempotency_keys AS k (
    space_id,
    scope,
    key,
    fingerprint
  )
  VALUES (
    :spaceId,
    :scope,
    :key,
    :fingerprint
  )
  ON CONFLICT (space_id, scope, key) DO UPDATE
  SET
    fingerprint = excluded.fingerprint,
    answer = NULL,
    created_at = excluded.created_at
  WHERE k.created_at < statement_timestamp() - ${LIFE}
  RETURNING true AS mine
  `,
);

/** Stores the answer of the request that took the key. */
export const STORE_ANSWER = statement(
  'idempotency_keys.store_answer',
  {
    params: {
      spaceId: 'uuid',
      scope: 'text',
      key: 'text',
      answer: 'text',
    },
    columns: {},
  },
  `
  UPDATE idempotency_keys
  SET answer = :answer
  WHERE space_id = :spaceId AND scope = :scope AND key = :key
  `,
);

/** The fingerprint and answer of the first request with the key. */
export const FIND_ANSWER = statement(
  'idempotency_keys.find_answer',
  'SELECT fingerprint, answer FROM idempotency_keys WHERE space_id = $1 AND scope = $2 AND key = $3',
  { fingerprint: 'bytea', answer: nullable('text') },
);

/** Like {@link FIND_ANSWER}, outside a transaction. Returns no row if the key has expired. */
export const FIND_LIVE_ANSWER = statement(
  'idempotency_keys.find_live_answer',
  `SELECT fingerprint, answer FROM idempotency_keys
   WHERE space_id = $1 AND scope = $2 AND key = $3 AND created_at >= statement_timestamp() - ${LIFE}`,
  { fingerprint: 'bytea', answer: nullable('text') },
);

/** Deletes expired keys, at most this many. */
export const DROP_OLD_KEYS = statement(
  'idempotency_keys.drop_old_keys',
  `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM idempotency_keys WHERE created_at < statement_timestamp() - ${LIFE} LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1 AS n`,
  { n: 'int4' },
);
