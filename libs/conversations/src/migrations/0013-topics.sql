-- What a channel is about now, and what it is for; empty if nobody said so, and for direct chats and threads.
-- works with: conversations/0012-thread-titles
ALTER TABLE conversations
  ADD COLUMN topic text NOT NULL DEFAULT '',
  ADD COLUMN purpose text NOT NULL DEFAULT '';
