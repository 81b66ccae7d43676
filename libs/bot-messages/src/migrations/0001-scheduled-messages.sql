-- Messages that bots want posted later. A row disappears when its message is posted.
CREATE TABLE scheduled_messages (
  space_id           uuid        NOT NULL,
  id                 uuid        NOT NULL,
  bot_id             uuid        NOT NULL,
  conversation_id    uuid        NOT NULL,
  parent_message_id  uuid,
  content            text        NOT NULL,
  metadata_json      text,
  display_name       text,
  display_avatar_url text,
  post_at            timestamptz NOT NULL,
  -- Time of the next attempt; of a failed message, the time when it is deleted.
  next_try_at        timestamptz NOT NULL,
  attempts           integer     NOT NULL DEFAULT 0,
  -- Why it could not be posted; null: it is still to be posted.
  error_code         text,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, id)
);
CREATE INDEX scheduled_messages_due ON scheduled_messages (next_try_at);
CREATE INDEX scheduled_messages_of_bot ON scheduled_messages (space_id, bot_id, id);
