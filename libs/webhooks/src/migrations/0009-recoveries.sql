-- works with: webhooks/0005-keys-and-replays

-- Logs of subscriptions, or parts of them, that are sent again.
CREATE TABLE outgoing_recoveries (
  space_id    uuid        NOT NULL,
  id          uuid        NOT NULL,
  webhook_id  uuid        NOT NULL,
  -- Where it is sent; the same subscription or another one.
  to_id       uuid        NOT NULL,
  only_failed boolean     NOT NULL,
  since       timestamptz NOT NULL,
  until       timestamptz NOT NULL,
  -- Empty: all.
  event_types text[]      NOT NULL,
  state       text        NOT NULL CHECK (state IN ('running', 'done', 'cancelled')),
  total       integer     NOT NULL,
  -- How many are planned again.
  done        integer     NOT NULL,
  -- The last delivery that was looked at.
  position    uuid        NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (space_id, id)
);
-- One at a time for each subscription, and what workers look for.
CREATE UNIQUE INDEX outgoing_recoveries_running ON outgoing_recoveries (space_id, webhook_id) WHERE state = 'running';
CREATE INDEX outgoing_recoveries_by_webhook ON outgoing_recoveries (space_id, webhook_id, id DESC);
