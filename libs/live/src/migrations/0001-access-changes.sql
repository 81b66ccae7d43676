-- Bots, persons and spaces whose tokens may open something else since then: what the bus tells at once, for those whom it does not reach.
-- Kept for an hour.
-- works with: delivery/0006-target-age
CREATE TABLE access_changes (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_id text        NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX access_changes_at ON access_changes (changed_at);
