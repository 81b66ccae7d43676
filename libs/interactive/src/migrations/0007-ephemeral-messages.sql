-- Ephemeral messages with buttons, so that clicks on them can be judged. They are in no history; those without buttons are not kept.
-- works with: interactive/0005-sealed-builtin-keys
CREATE TABLE ephemeral_messages (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  bot_id          uuid        NOT NULL,
  -- Who sees it.
  user_id         uuid        NOT NULL,
  text            text        NOT NULL,
  metadata_json   text,
  sent_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When its tokens do.
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX ephemeral_messages_expires ON ephemeral_messages (expires_at);
