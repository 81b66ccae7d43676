-- A relay that shares the outbox takes the events of its spaces in order, whatever waits in front of them. What spaces are divided into are 16 slots,
-- by the last four bits of their ids: those are random. `id + 0`, so that no plan walks through everybody's events by the primary key instead.
-- works with: delivery/0009-ordered-deliveries
CREATE INDEX outbox_by_slot ON outbox ((get_byte(uuid_send(space_id), 15) & 15), (id + 0));
-- Who planned last for the spaces of a slot, where the outbox is shared; outbox_relay where it is not.
CREATE TABLE outbox_relay_slots (
  slot     smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 15),
  relay_id uuid
) WITH (fillfactor = 50);
INSERT INTO outbox_relay_slots (slot) SELECT generate_series(0, 15);
