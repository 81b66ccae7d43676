-- Whether the colour of an attachment gives the severity of a message that was sent without one.
-- works with: webhooks/0003-exhausted-subscriptions
ALTER TABLE incoming_webhooks ADD COLUMN severity_from_color boolean NOT NULL DEFAULT true;
