-- What goes through bots' DM streams. Only the relay writes rows, one planning transaction at a time, so a bot's positions
-- grow in the order of commit, and whoever reads on from a position misses nothing.
CREATE TABLE dm_inbox (
  space_id        uuid        NOT NULL,
  bot_id          uuid        NOT NULL,
  position        bigint      GENERATED ALWAYS AS IDENTITY,
  conversation_id uuid        NOT NULL,
  message_id      uuid        NOT NULL,
  -- The same as in every other way in which this event is told.
  event_id        uuid        NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, bot_id, position)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- For what is trimmed: what has expired, and who got something lately.
CREATE INDEX dm_inbox_created ON dm_inbox (created_at);

-- Up to where a bot has got its messages, on whichever stream: everything until there was handed to a socket.
CREATE TABLE dm_inbox_positions (
  space_id uuid   NOT NULL,
  bot_id   uuid   NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (space_id, bot_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
