-- When a bot was last told that a person opened its direct chat.
-- works with: bots/0014-poll-clocks
CREATE TABLE dm_openings (
  space_id  uuid        NOT NULL,
  bot_id    uuid        NOT NULL,
  user_id   uuid        NOT NULL,
  opened_at timestamptz NOT NULL,
  PRIMARY KEY (space_id, bot_id, user_id)
) WITH (fillfactor = 80);
