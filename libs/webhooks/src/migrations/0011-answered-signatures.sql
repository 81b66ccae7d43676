-- works with: webhooks/0010-ordered-subscriptions

-- What an accepted signature was used for, and what its request was answered. Rows of programs before this migration match no
-- request: their signatures are refused, as before.
ALTER TABLE incoming_signatures
  -- The message that a deletion is about: deletions sign nothing but their second, so each message counts by itself. Empty for all else.
  ADD COLUMN subject      text        NOT NULL DEFAULT '',
  -- SHA-256 of method, path with query, and Idempotency-Key.
  ADD COLUMN request_hash bytea       NOT NULL DEFAULT '',
  -- Whether the request has ended in 200; message_id is its answer then, null where no message stands for it.
  ADD COLUMN answered     boolean     NOT NULL DEFAULT true,
  ADD COLUMN message_id   uuid,
  ADD COLUMN claimed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  DROP CONSTRAINT incoming_signatures_pkey,
  ADD PRIMARY KEY (webhook_id, signature, subject);
