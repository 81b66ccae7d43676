-- works with: webhooks/0005-keys-and-replays
ALTER TABLE outgoing_webhooks ADD COLUMN ordered boolean NOT NULL DEFAULT false;
