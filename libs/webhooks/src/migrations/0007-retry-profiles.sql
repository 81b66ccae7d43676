-- works with: webhooks/0005-keys-and-replays
ALTER TABLE outgoing_webhooks ADD COLUMN retry_profile text NOT NULL DEFAULT 'contract' CHECK (retry_profile IN ('contract', 'extended'));
