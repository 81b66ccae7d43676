-- The title that a bot gave to a thread; null for channels and direct chats.
-- works with: conversations/0011-open-channels
ALTER TABLE conversations ADD COLUMN title text;
