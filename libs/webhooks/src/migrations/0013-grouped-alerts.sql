-- Whether messages in programs' own formats are grouped by the keys of their senders. Webhooks of before keep posting each message.
-- works with: webhooks/0010-ordered-subscriptions
ALTER TABLE incoming_webhooks ADD COLUMN group_alerts boolean NOT NULL DEFAULT false;
