import { json, nullable, statement } from '@tieline/platform/database';

/** A record as the provider stores it. */
export type RecordPayload = Record<string, unknown>;

/** Stores a record. */
export const PUT_RECORD = statement(
  'oauth_records.replace',
  {
    params: {
      idHash: 'bytea',
      kind: 'text',
      grantHash: nullable('bytea'),
      payload: 'json',
      seconds: 'int4',
    },
    columns: {},
  },
  `
  INSERT INTO oauth_records (id_hash, kind, grant_hash, payload, expires_at)
  VALUES (
    :idHash,
    :kind,
    :grantHash,
    :payload,
    statement_timestamp() + :seconds::int * interval '1 second'
  )
  ON CONFLICT (id_hash) DO UPDATE
    SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at
    WHERE oauth_records.kind = EXCLUDED.kind
  `,
);

/** A record that has not expired. $1 hash, $2 kind */
export const FIND_RECORD = statement(
  'oauth_records.find',
  `SELECT payload, consumed_at IS NOT NULL AS "isConsumed"
   FROM oauth_records
   WHERE id_hash = $1::bytea AND kind = $2::text AND expires_at > statement_timestamp()`,
  { payload: json<RecordPayload>(), isConsumed: 'bool' },
);

/** Uses a record up. Returns no row if that has happened before. $1 hash, $2 kind */
export const CONSUME_RECORD = statement(
  'oauth_records.consume',
  `UPDATE oauth_records SET consumed_at = statement_timestamp()
   WHERE id_hash = $1::bytea AND kind = $2::text AND consumed_at IS NULL
   RETURNING grant_hash AS "grantHash"`,
  { grantHash: nullable('bytea') },
);

/** The grant of an access token. $1 hash of the token */
export const FIND_GRANT_OF_TOKEN = statement(
  'oauth_records.find_grant_of_token',
  `SELECT grant_hash AS "grantHash"
   FROM oauth_records
   WHERE id_hash = $1::bytea AND kind = 'AccessToken' AND grant_hash IS NOT NULL`,
  { grantHash: 'bytea' },
);

/** $1 hash, $2 kind */
export const DROP_RECORD = statement(
  'oauth_records.drop',
  'DELETE FROM oauth_records WHERE id_hash = $1::bytea AND kind = $2::text',
  {},
);

/** The records of one kind of a grant. $1 hash of the grant, $2 kind */
export const DROP_RECORDS_OF_GRANT = statement(
  'oauth_records.drop_of_grant',
  'DELETE FROM oauth_records WHERE grant_hash = $1::bytea AND kind = $2::text',
  {},
);

/** Stores the answer to an interaction. Returns no row if it has one. $1 hash, $2 answer */
export const ANSWER_INTERACTION = statement(
  'oauth_records.answer_interaction',
  `UPDATE oauth_records SET payload = payload || jsonb_build_object('result', $2::jsonb)
   WHERE id_hash = $1::bytea AND kind = 'Interaction' AND expires_at > statement_timestamp()
     AND payload -> 'result' IS NULL
   RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Number of clients that registered themselves, counted up to $1. */
export const COUNT_CLIENTS = statement(
  'oauth_records.count_clients',
  `SELECT count(*)::int4 AS n
   FROM (
     SELECT 1 FROM oauth_records
     WHERE kind = 'Client' AND expires_at > statement_timestamp()
     LIMIT $1::int
   ) clients`,
  { n: 'int4' },
);

/** Deletes expired records, at most $1. */
export const DROP_OLD_RECORDS = statement(
  'oauth_records.drop_expired',
  `DELETE FROM oauth_records WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM oauth_records WHERE expires_at < statement_timestamp()
     ORDER BY expires_at LIMIT $1::int FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
