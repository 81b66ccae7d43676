-- A command may open a modal: there is no message then, but the trigger and the command.
-- works with: interactive/0005-sealed-builtin-keys
ALTER TABLE modals
  ALTER COLUMN message_id DROP NOT NULL,
  ADD COLUMN trigger_id uuid,
  ADD COLUMN command_id uuid,
  ADD CHECK ((message_id IS NULL) = (trigger_id IS NOT NULL)),
  ADD CHECK ((trigger_id IS NULL) = (command_id IS NULL));
ALTER TABLE interactions
  ALTER COLUMN message_id DROP NOT NULL,
  ADD COLUMN trigger_id uuid,
  ADD COLUMN command_id uuid,
  ADD CHECK ((message_id IS NULL) = (trigger_id IS NOT NULL)),
  ADD CHECK ((trigger_id IS NULL) = (command_id IS NULL));
