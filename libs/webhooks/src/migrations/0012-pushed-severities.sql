-- works with: webhooks/0010-ordered-subscriptions

ALTER TABLE incoming_open_alerts
  -- Where the message stands; null in rows of programs before this migration.
  ADD COLUMN conversation_id uuid,
  -- The highest severity of a push for the message; null: none yet.
  ADD COLUMN pushed_severity text;
UPDATE incoming_open_alerts SET pushed_severity = severity;
