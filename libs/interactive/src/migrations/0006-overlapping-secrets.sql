-- The secret before the present one, sealed for the same purpose, and until when it is valid as well: for tokens of the generation before.
-- works with: interactive/0005-sealed-builtin-keys
ALTER TABLE interactive_configs ADD COLUMN previous_secret bytea, ADD COLUMN previous_secret_expires_at timestamptz;

CREATE OR REPLACE FUNCTION forget_interactive_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE interactive_configs SET callback_url = NULL, signing_secret = NULL, previous_secret = NULL, previous_secret_expires_at = NULL,
    generation = generation + 1, updated_at = new.reset_at
   WHERE space_id = new.space_id AND bot_id = new.id;
  RETURN NULL;
END $$;
