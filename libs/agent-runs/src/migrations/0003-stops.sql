-- People can ask a bot to stop a run. The service ends runs that their bots do not end in time.
-- works with: agent-runs/0002-appends
ALTER TABLE agent_runs ADD COLUMN stop_requested_at timestamptz;
ALTER TABLE agent_runs ADD COLUMN stop_requested_by uuid;
CREATE INDEX agent_runs_stopping ON agent_runs (stop_requested_at, id)
  WHERE completed_at IS NULL AND stop_requested_at IS NOT NULL;
