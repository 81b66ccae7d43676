-- A bot that was reset has no address for clicks and no secret, and all its buttons are dead: the next configuration is a first one.
-- works with: interactive/0003-accepted-clicks
CREATE FUNCTION forget_interactive_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE interactive_configs SET callback_url = NULL, signing_secret = NULL, generation = generation + 1, updated_at = new.reset_at
   WHERE space_id = new.space_id AND bot_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER bots_reset_interactive AFTER UPDATE OF reset_at ON bots FOR EACH ROW
  WHEN (old.reset_at IS DISTINCT FROM new.reset_at) EXECUTE FUNCTION forget_interactive_config();
