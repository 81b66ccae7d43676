-- The root message of the thread that was last opened for the person in the bot's direct chat.
-- works with: bots/0020-home-openings
ALTER TABLE dm_openings ADD COLUMN thread_id uuid;
