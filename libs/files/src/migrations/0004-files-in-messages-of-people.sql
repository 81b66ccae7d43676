-- Files that people send with messages of their own.
-- works with: files/0003-files-of-people
ALTER TABLE message_attachments
  ALTER COLUMN bot_id DROP NOT NULL,
  ADD COLUMN user_id uuid;
