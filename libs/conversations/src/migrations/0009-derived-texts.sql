-- Whether the text of a message was made of its attachments and blocks; null: it was sent.
-- works with: conversations/0008-recent-changes
ALTER TABLE messages ADD COLUMN text_derived boolean;
