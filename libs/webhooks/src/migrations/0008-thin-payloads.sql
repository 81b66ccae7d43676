-- works with: webhooks/0005-keys-and-replays
ALTER TABLE outgoing_webhooks ADD COLUMN payload text NOT NULL DEFAULT 'full' CHECK (payload IN ('full', 'thin'));
