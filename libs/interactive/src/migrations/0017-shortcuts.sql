-- Shortcuts that bots offer in people's clients.
-- works with: interactive/0016-views
CREATE TABLE shortcuts (
  space_id    uuid        NOT NULL,
  id          uuid        NOT NULL,
  bot_id      uuid        NOT NULL,
  -- The bot's name for it.
  callback_id text        NOT NULL,
  name        text        NOT NULL,
  description text        NOT NULL,
  type        text        NOT NULL CHECK (type IN ('global', 'message')),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, bot_id, callback_id),
  FOREIGN KEY (space_id, bot_id) REFERENCES bots (space_id, id)
);
CREATE FUNCTION delete_shortcuts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM shortcuts WHERE space_id = new.space_id AND bot_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER bots_deleted_shortcuts AFTER UPDATE OF deleted_at ON bots FOR EACH ROW
  WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_shortcuts();
