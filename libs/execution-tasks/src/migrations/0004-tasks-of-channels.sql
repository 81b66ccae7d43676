-- For the tasks of a conversation, newest first.
-- works with: execution-tasks/0003-update-age
CREATE INDEX execution_tasks_channel ON execution_tasks (space_id, channel_id, id DESC);
