-- Messages wait in the order in which they were planned, space by space; those that failed wait apart, each until its own time.
-- Additive: the program before this one goes on to work with the table.
ALTER TABLE notification_jobs
  -- Only the relay writes rows, one planning transaction at a time: positions grow in the order of commit.
  ADD COLUMN position bigint      GENERATED ALWAYS AS IDENTITY,
  -- What is critical goes first within its space.
  ADD COLUMN rank     smallint    NOT NULL GENERATED ALWAYS AS (CASE WHEN notice ->> 'severity' = 'critical' THEN 0 ELSE 1 END) STORED,
  ADD COLUMN attempts smallint    NOT NULL DEFAULT 0,
  ADD COLUMN due_at   timestamptz NOT NULL DEFAULT now();
-- The fair claim walks it from space to space and takes the first of each.
CREATE INDEX notification_jobs_fresh ON notification_jobs (space_id, rank, position) WHERE attempts = 0;
CREATE INDEX notification_jobs_failed ON notification_jobs (due_at) WHERE attempts > 0;

-- Messages that could not be brought to anybody's notice, however often it was tried. Kept for a week.
CREATE TABLE notification_rejected (
  space_id        uuid        NOT NULL,
  event_id        uuid        NOT NULL,
  message_id      uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  channel_id      uuid        NOT NULL,
  notice          jsonb       NOT NULL,
  occurred_at     timestamptz NOT NULL,
  attempts        smallint    NOT NULL,
  error           text        NOT NULL,
  rejected_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, event_id)
);
CREATE INDEX notification_rejected_at ON notification_rejected (rejected_at);
