-- The trace of the request that an event follows from, where requests are traced: nothing is written of it otherwise.
-- works with: delivery/0009-ordered-deliveries
ALTER TABLE outbox ADD COLUMN traceparent text;
