-- The dead letters of one target, newest first. On error and not on status: what was delivered has no error, before and after, so that
-- settling it stays a HOT update.
CREATE INDEX deliveries_dead ON deliveries (target_id, id DESC) WHERE error IS NOT NULL;
