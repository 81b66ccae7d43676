-- Counts clients that registered themselves.
-- works with: apps/0003-interactive-urls
CREATE INDEX oauth_records_clients ON oauth_records (expires_at) WHERE kind = 'Client';
