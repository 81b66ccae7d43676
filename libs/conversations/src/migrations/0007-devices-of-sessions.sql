-- A browser that was added under a session is told things as long as that lasts; NULL: added with a bearer token.
-- works with: conversations/0006-pins
CREATE UNIQUE INDEX sessions_space_id ON sessions (space_id, id);
ALTER TABLE push_subscriptions ADD COLUMN session_id uuid,
  ADD FOREIGN KEY (space_id, session_id) REFERENCES sessions (space_id, id) ON DELETE CASCADE;
CREATE INDEX push_subscriptions_session ON push_subscriptions (space_id, session_id) WHERE session_id IS NOT NULL;
