-- When a subscription reached its threshold of consecutive dead letters: from then on nothing is sent to it, and a worker switches it off.
ALTER TABLE outgoing_webhooks ADD COLUMN exhausted_at timestamptz;
CREATE INDEX outgoing_webhooks_exhausted ON outgoing_webhooks (exhausted_at) WHERE exhausted_at IS NOT NULL;
