-- The push secret before the present one, sealed for the same purpose, and until when it is valid as well.
-- works with: bots/0009-callbacks
ALTER TABLE bots ADD COLUMN previous_secret bytea, ADD COLUMN previous_secret_expires_at timestamptz;
