-- Messages that are to be brought to people's notice and have not been yet. The relay writes a row in the transaction that takes
-- the message's event from the outbox; whoever works it off deletes it together with what came of it.
CREATE TABLE notification_jobs (
  space_id        uuid        NOT NULL,
  event_id        uuid        NOT NULL,
  message_id      uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  channel_id      uuid        NOT NULL,
  -- Who is to be told how, and what a push shows.
  notice          jsonb       NOT NULL,
  occurred_at     timestamptz NOT NULL,
  PRIMARY KEY (space_id, event_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX notification_jobs_order ON notification_jobs (event_id);

-- One per person and message. Partitioned by day by the time inside the id, dropped whole after 30 days.
CREATE TABLE notifications (
  space_id        uuid        NOT NULL,
  user_id         uuid        NOT NULL,
  id              uuid        NOT NULL,
  message_id      uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  kind            text        NOT NULL CHECK (kind IN ('in_app', 'push')),
  severity        text        NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, user_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE notifications_default PARTITION OF notifications DEFAULT;

-- Where a person's devices take Web Push messages. The keys are the browser's; only with them can it read a push.
CREATE TABLE push_subscriptions (
  space_id   uuid        NOT NULL,
  user_id    uuid        NOT NULL,
  id         uuid        NOT NULL,
  endpoint   text        NOT NULL,
  p256dh     text        NOT NULL,
  auth       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, user_id, id),
  UNIQUE (space_id, user_id, endpoint)
);
CREATE INDEX push_subscriptions_by_id ON push_subscriptions (id);

-- What push services know this installation by: made once, the same for all processes.
CREATE TABLE vapid_keys (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  public_key  text    NOT NULL,
  -- Sealed by the SecretBox for the purpose vapid.
  private_key bytea   NOT NULL
);
