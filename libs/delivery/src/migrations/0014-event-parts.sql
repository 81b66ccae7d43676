-- How far a large event has been planned: the subscriber and its last target, null before the first
-- part. An earlier version that takes such an event plans all of it again.
-- works with: delivery/0013-one-relay
ALTER TABLE outbox ADD COLUMN plan_cursor text;
ALTER TABLE outbox_rejected ADD COLUMN plan_cursor text;
