-- works with: spaces/0003-bots-see-emails
-- Who is signed in with a browser. Without a person: the operator.
CREATE TABLE sessions (
  id           uuid        PRIMARY KEY,
  space_id     uuid,
  user_id      uuid,
  -- Of the token in the cookie; the operator's is keyed with OPERATOR_TOKEN, so that a new one ends them.
  token_hash   bytea       NOT NULL UNIQUE,
  user_agent   text        NOT NULL DEFAULT '',
  ip           text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz NOT NULL,
  CHECK ((space_id IS NULL) = (user_id IS NULL)),
  FOREIGN KEY (space_id, user_id) REFERENCES users (space_id, id)
);
CREATE INDEX sessions_of_user ON sessions (space_id, user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- How a person signs in for the first time: one open invite each.
CREATE TABLE invites (
  space_id   uuid        NOT NULL,
  user_id    uuid        NOT NULL,
  token_hash bytea       NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (space_id, user_id),
  FOREIGN KEY (space_id, user_id) REFERENCES users (space_id, id)
);
CREATE INDEX invites_expiry ON invites (expires_at);

-- What was opened with the old token, or before the person had this role, is no longer good, whoever changes it.
CREATE FUNCTION sign_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE space_id = new.space_id AND user_id = new.id;
  DELETE FROM invites WHERE space_id = new.space_id AND user_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_sign_out AFTER UPDATE OF token_hash, role, is_active ON users FOR EACH ROW
  WHEN (old.token_hash IS DISTINCT FROM new.token_hash OR old.role IS DISTINCT FROM new.role OR (old.is_active AND NOT new.is_active))
  EXECUTE FUNCTION sign_out();
