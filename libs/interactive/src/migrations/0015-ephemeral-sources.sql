-- A message as its author sent it in the format of another product; null: it was sent in our own.
-- works with: interactive/0014-feedback-ends
ALTER TABLE ephemeral_messages ADD COLUMN source_json text;
