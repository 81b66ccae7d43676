-- When the person last opened the home of the bot. `opened_at` is -infinity if they never opened the chat.
-- works with: bots/0019-interactive-urls
ALTER TABLE dm_openings ADD COLUMN home_opened_at timestamptz;
