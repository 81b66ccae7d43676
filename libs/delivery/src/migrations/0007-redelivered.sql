-- Which delivery was sent again, and as what: the latest.
-- works with: delivery/0006-target-age
ALTER TABLE deliveries ADD COLUMN redelivery_of uuid, ADD COLUMN redelivered_as uuid;
