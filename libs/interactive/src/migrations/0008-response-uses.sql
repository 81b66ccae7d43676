-- Response tokens are signed and not stored: a row is there once one was used, or once a command has posted its first message.
-- works with: interactive/0005-sealed-builtin-keys
CREATE TABLE response_uses (
  space_id    uuid        NOT NULL,
  -- Of the token; of a command the trigger's.
  id          uuid        NOT NULL,
  -- The answers that were accepted.
  uses        uuid[]      NOT NULL DEFAULT '{}',
  -- The first message that a command has posted.
  original_id uuid,
  -- No token of it is good any more.
  expires_at  timestamptz NOT NULL DEFAULT clock_timestamp() + interval '1 day',
  PRIMARY KEY (space_id, id)
);
CREATE INDEX response_uses_expires ON response_uses (expires_at);
