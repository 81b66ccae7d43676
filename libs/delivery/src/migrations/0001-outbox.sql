-- Events that were committed and not yet planned. The relay deletes what it has planned, so the table stays small.
CREATE TABLE outbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id   uuid NOT NULL,
  space_id   uuid NOT NULL,
  type       text NOT NULL,
  payload    text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Events that no subscriber could plan after several tries, with the reason: nothing is thrown away silently.
CREATE TABLE outbox_rejected (
  id          bigint PRIMARY KEY,
  event_id    uuid NOT NULL,
  space_id    uuid NOT NULL,
  type        text NOT NULL,
  payload     text NOT NULL,
  error       text NOT NULL,
  created_at  timestamptz NOT NULL,
  rejected_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- One row: who planned last. A relay that finds another's mark drops what it has cached.
CREATE TABLE outbox_relay (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  relay_id  uuid,
  worked_at timestamptz
);
INSERT INTO outbox_relay DEFAULT VALUES;
