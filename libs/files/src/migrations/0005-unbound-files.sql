-- Files that a bot uploads before it says where it will send them. The message that they are
-- attached to gives them their conversation.
-- works with: files/0004-files-in-messages-of-people
ALTER TABLE files
  ALTER COLUMN conversation_id DROP NOT NULL,
  ADD CONSTRAINT files_unbound CHECK (conversation_id IS NOT NULL OR (bot_id IS NOT NULL AND message_id IS NULL));
