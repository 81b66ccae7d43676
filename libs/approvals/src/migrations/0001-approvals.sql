-- works with: bots/0014-poll-clocks
-- Questions of bots that people decide. The row is the truth; the card's message follows it.
CREATE TABLE approvals (
  space_id          uuid NOT NULL,
  id                uuid NOT NULL,
  bot_id            uuid NOT NULL,
  external_id       text,
  -- Hash of the request, to distinguish a repeat from another request with the same external_id.
  fingerprint       bytea NOT NULL,
  -- As the bot named it. The channel is the thread's parent, otherwise the same.
  conversation_id   uuid NOT NULL,
  channel_id        uuid NOT NULL,
  message_id        uuid NOT NULL,
  state             text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'approved', 'denied', 'answered', 'expired', 'cancelled')),
  sequence          bigint NOT NULL DEFAULT 1 CHECK (sequence > 0),
  title             text NOT NULL,
  text              text NOT NULL,
  tool              text,
  arguments         jsonb,
  -- Of the canonical JSON (RFC 8785), in hexadecimal.
  arguments_sha256  text,
  options           jsonb NOT NULL,
  form              jsonb,
  -- Without people and roles: members of the conversation who are not guests.
  approver_ids      uuid[] NOT NULL,
  approver_roles    text[] NOT NULL,
  count             smallint NOT NULL CHECK (count BETWEEN 1 AND 10),
  requested_by      uuid,
  on_expiry         text NOT NULL CHECK (on_expiry IN ('expire', 'deny')),
  agent_run_id      uuid,
  execution_task_id uuid,
  -- One per person, as they are shown.
  decisions         jsonb NOT NULL DEFAULT '[]',
  result            jsonb,
  rule_id           uuid,
  reason            text,
  expires_at        timestamptz NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at          timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, bot_id, external_id),
  FOREIGN KEY (space_id, channel_id) REFERENCES conversations (space_id, id),
  CHECK ((ended_at IS NULL) = (state = 'pending')),
  CHECK ((result IS NOT NULL) = (state IN ('approved', 'denied', 'answered')))
) WITH (fillfactor = 80);

CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'pending';
CREATE INDEX approvals_ended ON approvals (ended_at) WHERE ended_at IS NOT NULL;
-- What a bot has asked, and what of it is pending.
CREATE INDEX approvals_of_bot ON approvals (space_id, bot_id, id DESC);
CREATE INDEX approvals_pending_of_bot ON approvals (space_id, bot_id) WHERE state = 'pending';
-- What people may decide.
CREATE INDEX approvals_by_state ON approvals (space_id, state, id DESC);

-- Approvals that match a rule are approved when they are created. NULL matches everything.
CREATE TABLE approval_rules (
  space_id         uuid NOT NULL,
  id               uuid NOT NULL,
  bot_id           uuid NOT NULL,
  tool             text NOT NULL,
  conversation_id  uuid,
  arguments_sha256 text,
  created_by       uuid NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at       timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE NULLS NOT DISTINCT (space_id, bot_id, tool, conversation_id, arguments_sha256),
  FOREIGN KEY (space_id, bot_id) REFERENCES bots (space_id, id)
);
CREATE INDEX approval_rules_expired ON approval_rules (expires_at) WHERE expires_at IS NOT NULL;
