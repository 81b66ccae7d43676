-- Answers of requests that carried an Idempotency-Key, kept for 24 hours.
CREATE TABLE idempotency_keys (
  space_id    uuid NOT NULL,
  scope       text NOT NULL,
  key         text NOT NULL,
  fingerprint bytea NOT NULL,
  answer      text,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
