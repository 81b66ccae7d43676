-- For keys whose time is over; those that are there already count from now on.
-- works with: execution-tasks/0002-capabilities
ALTER TABLE execution_task_updates ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE execution_task_updates ALTER COLUMN created_at SET DEFAULT clock_timestamp();
CREATE INDEX execution_task_updates_created ON execution_task_updates (created_at);
