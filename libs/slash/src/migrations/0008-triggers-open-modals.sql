-- A trigger can open a modal for the person who gave the command. Null in rows from before.
-- works with: slash/0007-polling-after-reset
ALTER TABLE slash_triggers ADD COLUMN user_id uuid, ADD COLUMN command_id uuid;
