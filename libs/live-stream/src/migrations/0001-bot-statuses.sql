-- What bots are doing at the moment, in a conversation or a thread. A status ends with the bot's next message there, or when it
-- expires.
CREATE TABLE bot_statuses (
  space_id         uuid        NOT NULL,
  -- Root message of the thread, else the conversation.
  place_id         uuid        NOT NULL,
  bot_id           uuid        NOT NULL,
  -- New for every status, so that a message ends only an earlier one.
  id               uuid        NOT NULL,
  -- The conversation whose members see it; of a thread, its parent.
  channel_id       uuid        NOT NULL,
  text             text        NOT NULL,
  loading_messages text[]      NOT NULL,
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (space_id, place_id, bot_id)
) WITH (fillfactor = 70);
CREATE INDEX bot_statuses_channel ON bot_statuses (space_id, channel_id);
CREATE INDEX bot_statuses_expired ON bot_statuses (expires_at);
