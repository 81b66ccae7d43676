-- What bots were asked to suggest while somebody typed: answers of bots that poll get here, and answers are kept for some seconds.
-- works with: interactive/0005-sealed-builtin-keys
CREATE TABLE option_requests (
  space_id    uuid        NOT NULL,
  id          uuid        NOT NULL,
  -- SHA-256 over whatever makes two questions the same: person, command, option, text.
  fingerprint bytea       NOT NULL,
  -- A list of {name, value}; null until the bot has answered.
  choices     jsonb,
  answered_at timestamptz,
  expires_at  timestamptz NOT NULL DEFAULT clock_timestamp() + interval '1 minute',
  PRIMARY KEY (space_id, id)
);
CREATE INDEX option_requests_fingerprint ON option_requests (space_id, fingerprint);
CREATE INDEX option_requests_expires ON option_requests (expires_at);
