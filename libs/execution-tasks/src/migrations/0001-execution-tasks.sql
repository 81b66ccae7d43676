-- Widgets that show people what a bot works on. Each hangs on a thread, named by its root message; the thread's own
-- conversation may not exist yet. The capability (contract, runtime_capability) is part of the row; of its token only the hash.
CREATE TABLE execution_tasks (
  space_id              uuid NOT NULL,
  id                    uuid NOT NULL,
  bot_id                uuid NOT NULL,
  idempotency_key       text NOT NULL,
  -- What the request meant: tells a repeat from another request under the same key.
  fingerprint           bytea NOT NULL,
  -- As the bot named it; the channel is the thread's parent, else the same.
  conversation_id       uuid NOT NULL,
  channel_id            uuid NOT NULL,
  root_message_id       uuid NOT NULL,
  agent_run_id          uuid,
  -- Whether that run still works: a task takes one such run at a time.
  run_active            boolean NOT NULL DEFAULT false,
  status                text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'in_progress', 'blocked', 'completed', 'accepted', 'rejected', 'cancelled', 'closed')),
  title                 text NOT NULL,
  description           text NOT NULL,
  public_text           text NOT NULL DEFAULT '',
  error_code            text NOT NULL DEFAULT '',
  sequence              bigint NOT NULL DEFAULT 1,
  -- [{file_id, file_name, mime_type, file_size}], as they are shown.
  artifacts             jsonb NOT NULL DEFAULT '[]',
  allowed_actions       text[] NOT NULL,
  capability_hash       bytea NOT NULL,
  capability_prefix     text NOT NULL,
  capability_expires_at timestamptz NOT NULL,
  created_at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at             timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, bot_id, idempotency_key),
  FOREIGN KEY (space_id, channel_id) REFERENCES conversations (space_id, id),
  CHECK ((closed_at IS NOT NULL) = (status IN ('accepted', 'rejected', 'cancelled', 'closed')))
);
-- One active task per thread.
CREATE UNIQUE INDEX execution_tasks_active ON execution_tasks (space_id, root_message_id) WHERE closed_at IS NULL;

-- Keys of accepted PATCHes: a repeat changes nothing.
CREATE TABLE execution_task_updates (
  space_id        uuid NOT NULL,
  widget_id       uuid NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint     bytea NOT NULL,
  PRIMARY KEY (space_id, widget_id, idempotency_key),
  FOREIGN KEY (space_id, widget_id) REFERENCES execution_tasks (space_id, id)
);
