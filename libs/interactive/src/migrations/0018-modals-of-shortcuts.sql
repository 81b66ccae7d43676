-- Modals that a shortcut or a home opens have a conversation, but neither a message nor a command.
-- works with: interactive/0017-shortcuts
ALTER TABLE modals
  DROP CONSTRAINT modals_check,
  ADD CHECK (view_kind IS NOT NULL OR conversation_id IS NOT NULL),
  ADD CHECK (message_id IS NULL OR trigger_id IS NULL);
ALTER TABLE interactions
  DROP CONSTRAINT interactions_check,
  ADD CHECK (message_id IS NULL OR trigger_id IS NULL);
