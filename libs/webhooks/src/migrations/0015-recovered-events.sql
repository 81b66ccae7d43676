-- Which events a recovery has handed over, as which deliveries: each event once, and a recovery is over when all of these have ended.
-- Rows go when it is over.
ALTER TABLE outgoing_recoveries
  -- How many were handed over; of these `done` have ended, `succeeded` of them well.
  ADD COLUMN handed    integer NOT NULL DEFAULT 0,
  ADD COLUMN succeeded integer NOT NULL DEFAULT 0,
  ADD COLUMN failed    integer NOT NULL DEFAULT 0;
-- Cancelled ones of which something is still on its way.
CREATE INDEX outgoing_recoveries_ending ON outgoing_recoveries (space_id, webhook_id) WHERE state = 'cancelled' AND handed > succeeded + failed;

CREATE TABLE outgoing_recovered_events (
  space_id    uuid    NOT NULL,
  recovery_id uuid    NOT NULL,
  event_id    uuid    NOT NULL,
  delivery_id uuid    NOT NULL,
  has_ended   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (space_id, recovery_id, event_id),
  FOREIGN KEY (space_id, recovery_id) REFERENCES outgoing_recoveries (space_id, id) ON DELETE CASCADE
);
CREATE INDEX outgoing_recovered_events_open ON outgoing_recovered_events (space_id, recovery_id) WHERE NOT has_ended;
