-- A browser that was added under a session is told things as long as that lasts; NULL: added with a bearer token.
-- works with: conversations/0006-pins
ALTER TABLE push_subscriptions ADD COLUMN session_id uuid REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id) WHERE session_id IS NOT NULL;
