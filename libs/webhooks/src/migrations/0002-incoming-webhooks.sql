-- Incoming webhooks, as admins see them.
CREATE TABLE incoming_webhooks (
  space_id             uuid        NOT NULL REFERENCES spaces (id),
  id                   uuid        NOT NULL,
  name                 text        NOT NULL,
  conversation_id      uuid        NOT NULL,
  require_signature    boolean     NOT NULL,
  default_push         boolean     NOT NULL,
  -- Shown beside its messages; empty: none.
  avatar_url           text        NOT NULL,
  is_active            boolean     NOT NULL,
  -- SHA-256 of the token in its address; the token itself is shown once and not kept. Forgotten on deletion.
  token_hash           bytea       UNIQUE,
  -- Sealed by the SecretBox for the purpose `incoming:<id>`; forgotten on deletion.
  signing_secret       bytea,
  -- Authenticated requests that ended in 400 or 5xx since the last 2xx.
  consecutive_failures integer     NOT NULL DEFAULT 0,
  created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  deleted_at           timestamptz,
  PRIMARY KEY (space_id, id)
);

-- The last requests of each webhook. Whoever writes also drops what is beyond the last hundred.
CREATE TABLE incoming_requests (
  space_id   uuid        NOT NULL,
  webhook_id uuid        NOT NULL,
  -- UUIDv7 of the moment of the answer.
  id         uuid        NOT NULL,
  at         timestamptz NOT NULL,
  address    text        NOT NULL,
  status     integer     NOT NULL,
  -- Which check refused it; empty where it was accepted.
  reason     text        NOT NULL,
  -- What was cut or dropped of an accepted message: a list of texts.
  notes      jsonb       NOT NULL,
  -- First 16 KiB, as they came, without secrets of ours.
  body       bytea       NOT NULL,
  message_id uuid,
  PRIMARY KEY (space_id, webhook_id, id)
);
