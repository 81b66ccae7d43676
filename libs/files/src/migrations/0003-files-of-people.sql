-- Files that people upload for the forms of bots, and which bots they gave them to.
-- works with: files/0001-files
ALTER TABLE files
  ALTER COLUMN bot_id DROP NOT NULL,
  ADD COLUMN user_id uuid,
  ADD CHECK ((bot_id IS NULL) <> (user_id IS NULL));

CREATE TABLE file_grants (
  space_id        uuid NOT NULL,
  file_id         uuid NOT NULL,
  bot_id          uuid NOT NULL,
  -- Where the form was submitted, which may be another conversation than the file was made for.
  conversation_id uuid NOT NULL,
  PRIMARY KEY (space_id, file_id, bot_id, conversation_id),
  FOREIGN KEY (space_id, file_id) REFERENCES files (space_id, id) ON DELETE CASCADE
);
