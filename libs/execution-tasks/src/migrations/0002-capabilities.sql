-- A capability opens its task: it is looked up by its hash with every request.
CREATE UNIQUE INDEX execution_tasks_capability ON execution_tasks (capability_hash);
