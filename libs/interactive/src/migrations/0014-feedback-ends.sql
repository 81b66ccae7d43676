-- Feedback ends with the message that it is about. That on an ephemeral message is in the message's row.
-- works with: interactive/0013-message-feedback
ALTER TABLE ephemeral_messages ADD COLUMN feedback text NOT NULL DEFAULT 'none'
  CHECK (feedback IN ('positive', 'negative', 'none'));
-- Number of changes, as in message_feedback.
ALTER TABLE ephemeral_messages ADD COLUMN feedback_changes integer NOT NULL DEFAULT 0;
UPDATE ephemeral_messages e
SET feedback = f.choice, feedback_changes = f.changes
FROM message_feedback f
WHERE f.space_id = e.space_id AND f.message_id = e.id AND f.user_id = e.user_id;
DELETE FROM message_feedback f
WHERE NOT EXISTS (
  SELECT 1 FROM messages m WHERE m.space_id = f.space_id AND m.id = f.message_id AND m.deleted_at IS NULL
);
