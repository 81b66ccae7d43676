-- Bots of an app send clicks to the address of the app.
-- works with: bots/0018-suspended-bots
ALTER TABLE bots
  -- Empty: the app has none, or an admin created the bot.
  ADD COLUMN interactive_url text NOT NULL DEFAULT '';
