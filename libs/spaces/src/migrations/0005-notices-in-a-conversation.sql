-- Where notices are shown beside the admins' list. No foreign key: conversations are made by a lib above.
-- works with: spaces/0003-bots-see-emails
ALTER TABLE spaces ADD COLUMN notices_conversation_id uuid;

-- post_to: where this notice is still to be posted; null once it was, or when none was chosen as it was raised.
ALTER TABLE notices
  ADD COLUMN post_to       uuid,
  ADD COLUMN post_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN post_after    timestamptz;
CREATE INDEX notices_to_post ON notices (space_id, id) WHERE post_to IS NOT NULL;
