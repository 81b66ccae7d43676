-- A secret that was rotated signs beside the new one until its time is over.
-- works with: slash/0004-bot-resets
ALTER TABLE slash_commands
  ADD COLUMN previous_secret bytea,
  ADD COLUMN previous_secret_expires_at timestamptz,
  ADD CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL));
CREATE INDEX slash_commands_previous_secret ON slash_commands (previous_secret_expires_at) WHERE previous_secret_expires_at IS NOT NULL;
CREATE OR REPLACE FUNCTION suspend_commands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE slash_commands
     SET is_active = false, callback_url = '', signing_secret = NULL, previous_secret = NULL, previous_secret_expires_at = NULL, updated_at = new.reset_at
   WHERE space_id = new.space_id AND bot_id = new.id;
  RETURN NULL;
END $$;
