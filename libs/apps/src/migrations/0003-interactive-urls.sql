-- Where clicks on messages of an app's bots go. Empty: each bot has its own configuration.
-- works with: apps/0002-installations-of-bots
ALTER TABLE apps ADD COLUMN interactive_url text NOT NULL DEFAULT '';
