-- Prompts that bots suggest to people, in a conversation or a thread.
-- works with: live-stream/0001-bot-statuses
CREATE TABLE bot_prompts (
  space_id   uuid        NOT NULL,
  -- Root message of the thread, else the conversation.
  place_id   uuid        NOT NULL,
  bot_id     uuid        NOT NULL,
  -- The conversation whose members see them; of a thread, its parent.
  channel_id uuid        NOT NULL,
  title      text,
  prompts    json        NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (space_id, place_id, bot_id)
);
CREATE INDEX bot_prompts_channel ON bot_prompts (space_id, channel_id, bot_id, updated_at);
