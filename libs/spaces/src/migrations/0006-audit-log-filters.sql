-- The audit log by who did it, what was done, and what it was done to, newest first. Who has no id (the operator, the product itself) is found by
-- the type. Written by admins, a row at a time: these indexes are small beside what they save.
-- works with: spaces/0005-notices-in-a-conversation
CREATE INDEX audit_log_by_actor ON audit_log (space_id, actor_id, id DESC);
CREATE INDEX audit_log_by_nobody ON audit_log (space_id, actor_type, id DESC) WHERE actor_id IS NULL;
CREATE INDEX audit_log_by_action ON audit_log (space_id, action, id DESC);
CREATE INDEX audit_log_by_object ON audit_log (space_id, object_id, id DESC);
CREATE INDEX audit_log_by_object_type ON audit_log (space_id, object_type, id DESC);
