-- Where a bot's clicks go and what its buttons are signed with. A row is made by the first configuration, or by the
-- first buttons of a bot in poll mode; it is never deleted, so that the generation only grows.
CREATE TABLE interactive_configs (
  space_id       uuid        NOT NULL,
  bot_id         uuid        NOT NULL,
  -- Both null while the bot has not configured a callback.
  callback_url   text,
  -- The buttons signing secret, sealed by the SecretBox for the purpose interactive:<bot_id>.
  signing_secret bytea,
  -- What buttons are signed with while there is no signing_secret, sealed for the purpose interactive-internal:<bot_id>.
  internal_key   bytea       NOT NULL,
  -- Part of every signed token: raising it makes all buttons that are there inoperative.
  generation     integer     NOT NULL DEFAULT 1,
  updated_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, bot_id),
  CHECK ((callback_url IS NULL) = (signing_secret IS NULL))
);
