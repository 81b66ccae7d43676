-- How far the deliveries of a large event have been planned, null before its first part. An earlier
-- version that takes such an event plans all of its deliveries again.
-- works with: delivery/0013-one-relay
ALTER TABLE outbox ADD COLUMN plan_cursor uuid;
ALTER TABLE outbox_rejected ADD COLUMN plan_cursor uuid;
