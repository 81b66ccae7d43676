-- Commands of a bot that was reset can't be invoked: no address of theirs is known any more, and no secret.
-- works with: slash/0003-reminders
ALTER TABLE slash_commands
  ADD COLUMN is_active boolean NOT NULL DEFAULT true,
  ALTER COLUMN signing_secret DROP NOT NULL,
  ADD CHECK (signing_secret IS NOT NULL OR NOT is_active);
CREATE FUNCTION suspend_commands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE slash_commands SET is_active = false, callback_url = '', signing_secret = NULL, updated_at = new.reset_at
   WHERE space_id = new.space_id AND bot_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER bots_reset_commands AFTER UPDATE OF reset_at ON bots FOR EACH ROW
  WHEN (old.reset_at IS DISTINCT FROM new.reset_at) EXECUTE FUNCTION suspend_commands();
