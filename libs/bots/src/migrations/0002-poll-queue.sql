-- What bots in mode `poll` read. An id tells when it was given out (nanoseconds since 1970, as fine as the clock and one after
-- the other where it is not), so that the queue is partitioned by day and read from a moment on by the same column. Only the
-- relay writes, one planning transaction at a time: ids grow in the order of commit, and whoever reads on from one misses nothing.
CREATE TABLE poll_records (
  space_id   uuid   NOT NULL,
  bot_id     uuid   NOT NULL,
  id         bigint NOT NULL,
  event_id   uuid   NOT NULL,
  event_type text   NOT NULL,
  payload    text   NOT NULL,
  PRIMARY KEY (space_id, bot_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE poll_records_default PARTITION OF poll_records DEFAULT;

-- The last id that was given out, whatever a server's clock says afterwards.
CREATE TABLE poll_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_id  bigint  NOT NULL
) WITH (fillfactor = 50);
INSERT INTO poll_clock (last_id) VALUES (0);
