-- Pushes to the bot of an app name the installation that the bot belongs to.
-- works with: bots/0016-bots-of-apps
ALTER TABLE bots
  -- The installation of the app; NULL: an admin created the bot.
  ADD COLUMN installation_id uuid;
