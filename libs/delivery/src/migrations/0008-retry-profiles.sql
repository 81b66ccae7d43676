-- Whether a delivery is tried by the profile `extended`: decided when it is planned.
-- works with: delivery/0007-redelivered
ALTER TABLE delivery_queue ADD COLUMN extended boolean NOT NULL DEFAULT false;
