-- Slack's names of the events that a bot with Slack's event format receives. Empty: no restriction.
-- works with: bots/0021-assistant-threads
ALTER TABLE bots ADD COLUMN slack_events text[] NOT NULL DEFAULT '{}';
