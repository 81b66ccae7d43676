-- What came of callbacks to bots, for their admins; by day of the time inside the id, and of each bot its last ones.
-- works with: bots/0007-deleted-bots
CREATE TABLE bot_callbacks (
  id          uuid NOT NULL,
  space_id    uuid NOT NULL,
  bot_id      uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('click', 'submit', 'command', 'options')),
  target      text NOT NULL,
  failed      boolean NOT NULL,
  status_code integer,
  error       text,
  duration_ms integer NOT NULL,
  response    text NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (id, space_id)
) PARTITION BY RANGE (id);
CREATE INDEX bot_callbacks_by_bot ON bot_callbacks (bot_id, id DESC);
CREATE INDEX bot_callbacks_failed ON bot_callbacks (bot_id, id DESC) WHERE failed;
CREATE TABLE bot_callbacks_default PARTITION OF bot_callbacks DEFAULT;

-- Failed callbacks in a row. A row exists once one has failed.
CREATE TABLE bot_callback_failures (
  space_id uuid NOT NULL,
  bot_id   uuid NOT NULL,
  in_a_row integer NOT NULL DEFAULT 0,
  PRIMARY KEY (space_id, bot_id)
) WITH (fillfactor = 70);
