-- A device that its push service no longer knows stays in its person's list, and nothing is sent to it.
-- works with: conversations/0008-recent-changes
ALTER TABLE push_subscriptions ADD COLUMN gone_at timestamptz;
