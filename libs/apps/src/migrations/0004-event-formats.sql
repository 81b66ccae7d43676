-- The form of the events of an app's bots: Tieline's or Slack's.
-- works with: apps/0003-interactive-urls
ALTER TABLE apps ADD COLUMN event_format text NOT NULL DEFAULT 'native' CHECK (event_format IN ('native', 'slack'));
