-- Messages that somebody keeps in sight.
-- works with: conversations/0005-devices-of-tokens
CREATE TABLE pins (
  space_id        uuid NOT NULL,
  conversation_id uuid NOT NULL,
  message_id      uuid NOT NULL,
  -- A person or a bot.
  pinned_by       uuid NOT NULL,
  pinned_at       timestamptz NOT NULL,
  PRIMARY KEY (space_id, conversation_id, message_id),
  FOREIGN KEY (space_id, message_id) REFERENCES messages (space_id, id)
);
