-- Commands of a bot that was reset can be invoked again once they have a secret and the bot polls, in either order.
-- works with: slash/0003-reminders
CREATE FUNCTION resume_commands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE slash_commands SET is_active = true, updated_at = new.updated_at
   WHERE space_id = new.space_id AND bot_id = new.id AND NOT is_active AND signing_secret IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER bots_polling_commands AFTER UPDATE OF event_delivery_mode ON bots FOR EACH ROW
  WHEN (new.event_delivery_mode = 'poll' AND old.event_delivery_mode <> 'poll') EXECUTE FUNCTION resume_commands();
