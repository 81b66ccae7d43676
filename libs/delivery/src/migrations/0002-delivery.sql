-- Outgoing deliveries. Bodies, log and queue live apart: bodies never change, a log row is written twice (planned,
-- settled), and the queue holds only what is still to be sent, so it stays small however long the log is.
-- Log tables are partitioned by day by the time inside their UUIDv7 and dropped whole after retention.

CREATE TABLE delivery_payloads (
  id       uuid NOT NULL,
  space_id uuid NOT NULL,
  body     bytea NOT NULL,
  PRIMARY KEY (id, space_id)
) PARTITION BY RANGE (id);
CREATE TABLE delivery_payloads_default PARTITION OF delivery_payloads DEFAULT;

CREATE TABLE deliveries (
  id          uuid NOT NULL,
  space_id    uuid NOT NULL,
  kind        text NOT NULL,
  target_id   uuid NOT NULL,
  event_id    uuid NOT NULL,
  event_type  text NOT NULL,
  payload_id  uuid NOT NULL,
  headers     text NOT NULL,
  status      text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'dead')),
  attempts    integer NOT NULL DEFAULT 0,
  error       text,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  PRIMARY KEY (id, space_id)
) PARTITION BY RANGE (id);
-- The log of one target, newest first. Only settled once, in columns without an index: HOT updates.
CREATE INDEX deliveries_by_target ON deliveries (target_id, id DESC);
CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT WITH (fillfactor = 80);

CREATE TABLE delivery_attempts (
  delivery_id uuid NOT NULL,
  space_id    uuid NOT NULL,
  attempt     integer NOT NULL,
  at          timestamptz NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  error       text,
  response    text
) PARTITION BY RANGE (delivery_id);
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id);
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;

-- What is still to be sent. lane: 0 first attempts, 1 retries, 2 test sends. A claim only writes lease columns, which
-- no index holds (HOT); a result counts only under the lease it was claimed with.
CREATE TABLE delivery_queue (
  id           uuid PRIMARY KEY,
  space_id     uuid NOT NULL,
  kind         text NOT NULL,
  target_id    uuid NOT NULL,
  lane         smallint NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts     integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  counts       boolean NOT NULL DEFAULT true,
  postponed    boolean NOT NULL DEFAULT false,
  lease        bigint,
  lease_owner  integer,
  lease_until  timestamptz
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_queue_due ON delivery_queue (lane, target_id, due_at);

-- Health of a receiver: its circuit breaker. A row exists once an attempt has failed.
CREATE TABLE delivery_targets (
  target_id     uuid PRIMARY KEY,
  space_id      uuid NOT NULL,
  kind          text NOT NULL,
  failures      integer NOT NULL DEFAULT 0,
  open_until    timestamptz
) WITH (fillfactor = 70);
CREATE INDEX delivery_targets_open ON delivery_targets (open_until) WHERE open_until IS NOT NULL;

-- Workers that may hold leases. Each holds an advisory lock of its number while it lives; the leases of one that
-- doesn't any more are given back at once.
CREATE TABLE delivery_workers (
  owner      integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE SEQUENCE delivery_lease;
