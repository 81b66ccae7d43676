-- Programs that ask people for tokens (OAuth 2.1).
-- works with: bots/0015-dm-openings
CREATE TABLE apps (
  space_id        uuid        NOT NULL REFERENCES spaces (id),
  id              uuid        NOT NULL,
  name            text        NOT NULL,
  description     text        NOT NULL,
  -- Addresses, or empty.
  icon_url        text        NOT NULL,
  homepage_url    text        NOT NULL,
  event_url       text        NOT NULL,
  redirect_uris   text[]      NOT NULL,
  client_type     text        NOT NULL CHECK (client_type IN ('confidential', 'public')),
  bot_scopes      text[]      NOT NULL,
  user_scopes     text[]      NOT NULL,
  -- Whether tokens of its bots expire after an hour.
  token_rotation  boolean     NOT NULL,
  -- listed: the app wants to be in the directory of every space. The operator sets is_listed.
  distribution    text        NOT NULL CHECK (distribution IN ('space', 'listed')),
  is_listed       boolean     NOT NULL,
  is_active       boolean     NOT NULL,
  client_id       text        NOT NULL,
  -- SHA-256; NULL for public clients.
  client_secret_hash                bytea,
  previous_client_secret_hash       bytea,
  previous_client_secret_expires_at timestamptz,
  -- Sealed by the SecretBox for the purpose app:<id>.
  signing_secret  bytea       NOT NULL,
  created_by      uuid        NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  deleted_at      timestamptz,
  PRIMARY KEY (space_id, id)
);
CREATE UNIQUE INDEX apps_client_id_key ON apps (client_id);
CREATE INDEX apps_listed ON apps (id) WHERE distribution = 'listed' AND deleted_at IS NULL;

-- An app in a space. A client without a row in apps is one by its metadata document.
CREATE TABLE app_installations (
  space_id     uuid        NOT NULL REFERENCES spaces (id),
  id           uuid        NOT NULL,
  client_id    text        NOT NULL,
  -- The app, which may be of another space.
  app_space_id uuid,
  app_id       uuid,
  name         text        NOT NULL,
  bot_id       uuid,
  -- What admins approved.
  bot_scopes   text[]      NOT NULL,
  user_scopes  text[]      NOT NULL,
  channel_ids  uuid[]      NOT NULL,
  installed_by uuid        NOT NULL,
  -- The grant that gave the current token of the bot.
  bot_grant_hash bytea,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  deleted_at   timestamptz,
  PRIMARY KEY (space_id, id),
  FOREIGN KEY (space_id, bot_id) REFERENCES bots (space_id, id)
);
CREATE UNIQUE INDEX app_installations_client_key ON app_installations (space_id, client_id)
  WHERE deleted_at IS NULL;
CREATE INDEX app_installations_client ON app_installations (client_id) WHERE deleted_at IS NULL;
CREATE INDEX app_installations_app ON app_installations (app_id) WHERE deleted_at IS NULL;

-- What a person allowed a client. Its tokens are in oauth_records.
CREATE TABLE app_authorizations (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  installation_id uuid        NOT NULL,
  user_id         uuid        NOT NULL,
  client_id       text        NOT NULL,
  -- What its tokens of the person allow.
  scopes          text[]      NOT NULL,
  -- Whether it gives the token of the bot, too.
  for_bot         boolean     NOT NULL,
  -- SHA-256 of the grant's id.
  grant_hash      bytea       NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (space_id, id),
  FOREIGN KEY (space_id, installation_id) REFERENCES app_installations (space_id, id),
  FOREIGN KEY (space_id, user_id) REFERENCES users (space_id, id)
);
CREATE UNIQUE INDEX app_authorizations_grant_key ON app_authorizations (grant_hash);
CREATE INDEX app_authorizations_user ON app_authorizations (space_id, user_id, client_id);
CREATE INDEX app_authorizations_installation ON app_authorizations (space_id, installation_id);
CREATE INDEX app_authorizations_expiry ON app_authorizations (expires_at);

-- Requests of members to install an app.
CREATE TABLE app_requests (
  space_id     uuid        NOT NULL,
  id           uuid        NOT NULL,
  user_id      uuid        NOT NULL,
  client_id    text        NOT NULL,
  app_space_id uuid,
  app_id       uuid,
  name         text        NOT NULL,
  bot_scopes   text[]      NOT NULL,
  user_scopes  text[]      NOT NULL,
  state        text        NOT NULL CHECK (state IN ('pending', 'approved', 'denied')),
  decided_by   uuid,
  decided_at   timestamptz,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (space_id, id),
  FOREIGN KEY (space_id, user_id) REFERENCES users (space_id, id)
);
CREATE UNIQUE INDEX app_requests_pending_key ON app_requests (space_id, user_id, client_id)
  WHERE state = 'pending';
CREATE INDEX app_requests_age ON app_requests (created_at);

-- Interactions, codes and tokens of the OAuth provider, for as long as they are valid.
CREATE TABLE oauth_records (
  -- SHA-256 of the id, which is the token or code itself.
  id_hash     bytea       NOT NULL,
  kind        text        NOT NULL,
  grant_hash  bytea,
  payload     jsonb       NOT NULL,
  consumed_at timestamptz,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (id_hash)
);
CREATE INDEX oauth_records_grant ON oauth_records (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX oauth_records_expiry ON oauth_records (expires_at);
