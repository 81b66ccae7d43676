-- For the health of receivers that nothing is sent to any more; what is known already counts from now on.
-- works with: delivery/0005-long-open-breakers
ALTER TABLE delivery_targets ADD COLUMN failed_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE delivery_targets ALTER COLUMN failed_at SET DEFAULT clock_timestamp();
