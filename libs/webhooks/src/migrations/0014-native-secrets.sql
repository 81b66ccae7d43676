-- The secret of the sender's own signature scheme, sealed by the SecretBox for the purpose `incoming-native:<id>`; null: none. Forgotten on deletion.
-- works with: webhooks/0010-ordered-subscriptions
ALTER TABLE incoming_webhooks ADD COLUMN native_secret bytea;
