-- One relay plans all events, so nothing reads the outbox by slot. The tables outbox_relay_slots and
-- poll_clocks stay for a version, because running processes of earlier versions use them.
-- works with: delivery/0012-relay-shards
DROP INDEX outbox_by_slot;
