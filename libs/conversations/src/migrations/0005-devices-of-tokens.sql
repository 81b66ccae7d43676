-- works with: conversations/0004-fair-notifications
-- A device was added by whoever held the person's token: with a new token it gets nothing any more, whoever makes the token.
CREATE FUNCTION forget_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_subscriptions WHERE space_id = new.space_id AND user_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_new_token AFTER UPDATE OF token_hash ON users FOR EACH ROW
  WHEN (old.token_hash IS DISTINCT FROM new.token_hash) EXECUTE FUNCTION forget_devices();
