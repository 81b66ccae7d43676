-- Counts the open channels of a space when one is created: without its threads and direct chats, which may be many more.
-- works with: conversations/0010-gone-devices
CREATE INDEX conversations_open_channels ON conversations (space_id)
  WHERE scope <> 'dm' AND root_message_id IS NULL AND archived_at IS NULL;
