-- The secret before the present one, sealed for the same purpose, and until when it is valid as well.
-- works with: webhooks/0005-keys-and-replays
ALTER TABLE outgoing_webhooks ADD COLUMN previous_secret bytea, ADD COLUMN previous_secret_expires_at timestamptz;
ALTER TABLE incoming_webhooks ADD COLUMN previous_secret bytea, ADD COLUMN previous_secret_expires_at timestamptz;
