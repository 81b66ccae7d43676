-- What became of a space's deliveries, minute by minute, for the last two hours. Each worker process counts into rows of its own, so that
-- none waits for another.
-- works with: delivery/0009-ordered-deliveries
CREATE TABLE delivery_minutes (
  space_id  uuid        NOT NULL,
  minute    timestamptz NOT NULL,
  process   uuid        NOT NULL,
  delivered integer     NOT NULL,
  failed    integer     NOT NULL,
  -- Attempts that failed and are repeated.
  retried   integer     NOT NULL,
  -- How many of those delivered were how old when the receiver accepted them: by classes that grow by a quarter of a power of two.
  ages      integer[]   NOT NULL,
  PRIMARY KEY (space_id, minute, process)
) WITH (fillfactor = 70);
CREATE INDEX delivery_minutes_old ON delivery_minutes (minute);
