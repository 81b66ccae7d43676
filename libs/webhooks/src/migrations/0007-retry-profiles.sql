-- works with: webhooks/0006-overlapping-secrets
ALTER TABLE outgoing_webhooks ADD COLUMN retry_profile text NOT NULL DEFAULT 'contract' CHECK (retry_profile IN ('contract', 'extended'));
