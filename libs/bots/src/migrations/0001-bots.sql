-- Bot accounts. Rows are never deleted: messages name their authors.
CREATE TABLE bots (
  space_id            uuid        NOT NULL REFERENCES spaces (id),
  id                  uuid        NOT NULL,
  display_name        text        NOT NULL,
  -- HTTPS, or empty.
  avatar_url          text        NOT NULL DEFAULT '',
  is_active           boolean     NOT NULL DEFAULT true,
  -- Empty: none but the direct events.
  event_types         text[]      NOT NULL DEFAULT '{}',
  -- Empty: all channels of the space.
  channel_ids         uuid[]      NOT NULL DEFAULT '{}',
  event_delivery_mode text        NOT NULL DEFAULT 'none' CHECK (event_delivery_mode IN ('none', 'poll', 'webhook')),
  -- Kept whatever the mode.
  webhook_url         text        NOT NULL DEFAULT '',
  -- The push signing secret, sealed by the SecretBox for the purpose bot-webhook:<id>.
  webhook_secret      bytea       NOT NULL,
  -- SHA-256 of the bearer token; the token itself is shown once and not kept.
  token_hash          bytea       NOT NULL UNIQUE,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  deleted_at          timestamptz,
  PRIMARY KEY (space_id, id),
  CHECK (event_delivery_mode <> 'webhook' OR webhook_url <> '')
);
