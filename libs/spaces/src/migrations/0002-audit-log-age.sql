-- For entries whose time is over.
CREATE INDEX audit_log_created ON audit_log (created_at);
