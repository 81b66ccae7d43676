-- A message as its author sent it in the format of another product, and whether its text was derived from it.
-- works with: bot-messages/0001-scheduled-messages
ALTER TABLE scheduled_messages ADD COLUMN source_json text, ADD COLUMN text_derived boolean;
