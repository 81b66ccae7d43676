-- Commands that bots have registered. A deleted one is gone: its name is free at once.
CREATE TABLE slash_commands (
  space_id       uuid        NOT NULL,
  id             uuid        NOT NULL,
  bot_id         uuid        NOT NULL,
  -- Without the slash.
  name           text        NOT NULL CHECK (name ~ '^[a-z][a-z0-9_-]{0,31}$'),
  description    text        NOT NULL DEFAULT '',
  usage_hint     text        NOT NULL DEFAULT '',
  -- Empty for bots that poll, if they want.
  callback_url   text        NOT NULL DEFAULT '',
  -- What callbacks are signed with, sealed by the SecretBox for the purpose slash-command:<id>.
  signing_secret bytea       NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, name),
  FOREIGN KEY (space_id, bot_id) REFERENCES bots (space_id, id)
);
CREATE INDEX slash_commands_bot ON slash_commands (space_id, bot_id);

-- One per invocation: the right to answer it once, and where the answer goes. It outlives its command.
CREATE TABLE slash_triggers (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  bot_id          uuid        NOT NULL,
  -- As the person named it.
  conversation_id uuid        NOT NULL,
  -- Root message, when the command was given in a thread.
  thread_id       uuid,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at      timestamptz NOT NULL,
  used_at         timestamptz,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX slash_triggers_expires ON slash_triggers (expires_at);
