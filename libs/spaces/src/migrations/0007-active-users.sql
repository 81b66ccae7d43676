-- Counts the active people of a space when one is created.
-- works with: spaces/0006-audit-log-filters
CREATE INDEX users_active ON users (space_id) WHERE is_active;
