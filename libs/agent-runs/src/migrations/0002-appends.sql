-- What the last accepted PATCH added to the text, if it did that instead of replacing it.
-- works with: agent-runs/0001-agent-runs
ALTER TABLE agent_runs ADD COLUMN sent_append text;
