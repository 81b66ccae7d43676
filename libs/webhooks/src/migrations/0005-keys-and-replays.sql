-- works with: webhooks/0003-exhausted-subscriptions

-- The first message of each key that senders name threads by. Whoever posts under a key holds its row.
CREATE TABLE incoming_threads (
  space_id        uuid NOT NULL,
  webhook_id      uuid NOT NULL,
  key             text NOT NULL,
  root_message_id uuid NOT NULL,
  PRIMARY KEY (space_id, webhook_id, key)
);

-- The message that stands for each alert that is not over, by the key that its sender gives it.
CREATE TABLE incoming_open_alerts (
  space_id     uuid    NOT NULL,
  webhook_id   uuid    NOT NULL,
  key          text    NOT NULL,
  message_id   uuid    NOT NULL,
  severity     text    NOT NULL,
  repeat_count integer NOT NULL,
  PRIMARY KEY (space_id, webhook_id, key)
);

-- Signatures that were accepted and whose timestamps are still in the window. Unlogged: it costs no write to the disk, and is empty
-- after a crash of the database.
CREATE UNLOGGED TABLE incoming_signatures (
  webhook_id uuid        NOT NULL,
  signature  bytea       NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, signature)
);
CREATE INDEX incoming_signatures_expiry ON incoming_signatures (expires_at);

-- NULL: where a signature is required.
ALTER TABLE incoming_webhooks ADD COLUMN replay_protection boolean;
