-- A workspace. Its row is the lock that serialises changes to who owns it.
CREATE TABLE spaces (
  id         uuid        PRIMARY KEY,
  name       text        NOT NULL,
  plan       text        NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'enterprise')),
  -- false: every token of the space is refused and nothing is delivered.
  is_active  boolean     NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The people of a space. Rows are never deleted: messages and the audit log name them.
CREATE TABLE users (
  space_id     uuid        NOT NULL REFERENCES spaces (id),
  id           uuid        NOT NULL,
  display_name text        NOT NULL,
  email        text        NOT NULL DEFAULT '',
  role         text        NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'guest')),
  is_active    boolean     NOT NULL DEFAULT true,
  -- SHA-256 of the bearer token; the token itself is shown once and not kept.
  token_hash   bytea       NOT NULL UNIQUE,
  dnd_until    timestamptz,
  -- {"start": "22:00", "end": "07:00", "time_zone": "Europe/Berlin"}: [start, end) in local time, may span midnight.
  quiet_hours  jsonb,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, id)
);

-- What admins should know and nobody asked for: a webhook that was switched off, and the like.
CREATE TABLE notices (
  space_id     uuid        NOT NULL REFERENCES spaces (id),
  id           uuid        NOT NULL,
  kind         text        NOT NULL,
  object_type  text        NOT NULL,
  object_id    uuid        NOT NULL,
  text         text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  dismissed_at timestamptz,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX notices_open ON notices (space_id, id DESC) WHERE dismissed_at IS NULL;

-- Who changed what. Written in the transaction of the change; never updated, never a secret.
CREATE TABLE audit_log (
  space_id    uuid        NOT NULL REFERENCES spaces (id),
  id          uuid        NOT NULL,
  -- Null for the operator and for what the product does by itself.
  actor_id    uuid,
  actor_type  text        NOT NULL CHECK (actor_type IN ('user', 'bot', 'operator', 'system')),
  action      text        NOT NULL,
  object_type text        NOT NULL,
  object_id   uuid        NOT NULL,
  -- {"field": {"from": …, "to": …}}; from is null where the object was created.
  changes     jsonb       NOT NULL DEFAULT '{}',
  -- Null where no request caused the change.
  ip          text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, id)
);
