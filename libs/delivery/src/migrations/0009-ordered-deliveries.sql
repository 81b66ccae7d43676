-- Deliveries to one target with the same key are sent one after another, by their positions: all but the first wait with due_at 'infinity'.
-- Older workers would not release the next one.
ALTER TABLE delivery_queue ADD COLUMN order_key uuid, ADD COLUMN order_position bigint;
CREATE INDEX delivery_queue_ordered ON delivery_queue (target_id, order_key, order_position) WHERE order_key IS NOT NULL;
