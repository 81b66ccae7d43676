-- Outgoing webhook subscriptions, as admins see them.
CREATE TABLE outgoing_webhooks (
  space_id         uuid NOT NULL REFERENCES spaces (id),
  id               uuid NOT NULL,
  name             text NOT NULL,
  url              text NOT NULL,
  event_types      text[] NOT NULL,
  -- Empty: all channels of the space.
  channel_ids      uuid[] NOT NULL,
  trigger          text NOT NULL CHECK (trigger IN ('all', 'mention', 'keywords')),
  trigger_config   jsonb NOT NULL,
  include_context  boolean NOT NULL,
  context_size     integer NOT NULL CHECK (context_size BETWEEN 1 AND 50),
  status           text NOT NULL CHECK (status IN ('active', 'inactive')),
  -- Sealed by the SecretBox for the purpose `outgoing:<id>`; forgotten when the subscription is deleted.
  signing_secret   bytea,
  -- Dead letters since the last 2xx.
  consecutive_dead integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  deleted_at       timestamptz,
  PRIMARY KEY (space_id, id)
);

-- The delivery engine knows its targets by id.
CREATE INDEX outgoing_webhooks_by_id ON outgoing_webhooks (id);

-- What the planner matches events against: the configuration as of the last event that was planned. Only the relay writes
-- it, in the transaction that plans the `outgoing_webhook.changed` event, so that an event is never judged by a later one.
CREATE TABLE outgoing_webhook_plans (
  space_id uuid NOT NULL,
  id       uuid NOT NULL,
  config   jsonb NOT NULL,
  PRIMARY KEY (space_id, id)
);
