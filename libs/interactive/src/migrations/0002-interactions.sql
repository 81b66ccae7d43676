-- What the product signs its own buttons with (polls), one key per space. Not sealed: whoever reads this table reads the
-- tokens themselves in messages.metadata_json.
CREATE TABLE builtin_component_keys (
  space_id uuid  PRIMARY KEY,
  key      bytea NOT NULL CHECK (octet_length(key) = 32)
);

-- Clicks that nobody may repeat now: those in flight, and those accepted within the last 60 seconds. A row whose time is
-- over is as good as none: also that of an api process that died while it waited for a callback.
CREATE TABLE component_clicks (
  space_id    uuid        NOT NULL,
  -- SHA-256 over message, action_id, data, person and selected_value.
  fingerprint bytea       NOT NULL,
  -- Whoever holds the row.
  click_id    uuid        NOT NULL,
  clicked_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (space_id, fingerprint)
);
CREATE INDEX component_clicks_expires ON component_clicks (expires_at);

-- Clicks, selections and submitted modals that a bot in poll mode may answer, once.
CREATE TABLE interactions (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  bot_id          uuid        NOT NULL,
  user_id         uuid        NOT NULL,
  -- Where the message is: for one in a thread the thread's conversation.
  conversation_id uuid        NOT NULL,
  -- Root message, when the message is in a thread.
  thread_id       uuid,
  message_id      uuid        NOT NULL,
  action_id       text        NOT NULL,
  -- The click that it is; null for a submitted modal.
  click_id        uuid,
  -- How many modals of one chain came before.
  chain_depth     integer     NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at      timestamptz NOT NULL,
  answered_at     timestamptz,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX interactions_expires ON interactions (expires_at);

-- Modals that were opened for one person, who may submit each of them once.
CREATE TABLE modals (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  -- SHA-256 of the token: the token itself is not stored.
  token_hash      bytea       NOT NULL,
  bot_id          uuid        NOT NULL,
  user_id         uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  thread_id       uuid,
  message_id      uuid        NOT NULL,
  -- The action that opened it.
  action_id       text        NOT NULL,
  -- The click that opened it; null when another modal did.
  click_id        uuid,
  -- The definition as the bot gave it, a JSON text.
  modal           text        NOT NULL,
  -- 1 for the first of a chain.
  chain_depth     integer     NOT NULL,
  expires_at      timestamptz NOT NULL,
  -- Until then somebody waits for the bot's answer to a submission.
  claimed_until   timestamptz,
  claim_id        uuid,
  used_at         timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, token_hash)
);
CREATE INDEX modals_click ON modals (space_id, click_id) WHERE click_id IS NOT NULL;
CREATE INDEX modals_expires ON modals (expires_at);
