-- works with: webhooks/0007-retry-profiles
ALTER TABLE outgoing_webhooks ADD COLUMN payload text NOT NULL DEFAULT 'full' CHECK (payload IN ('full', 'thin'));
