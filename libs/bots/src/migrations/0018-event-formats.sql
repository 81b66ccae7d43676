-- The form of a bot's events: Tieline's or Slack's.
-- works with: bots/0016-bots-of-apps
ALTER TABLE bots ADD COLUMN event_format text NOT NULL DEFAULT 'native' CHECK (event_format IN ('native', 'slack'));
