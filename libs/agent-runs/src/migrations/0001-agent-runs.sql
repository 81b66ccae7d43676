-- Long answers of bots. A run's message (the placeholder) shows how far it is; the run is the truth, the message follows.
CREATE TABLE agent_runs (
  space_id           uuid NOT NULL,
  id                 uuid NOT NULL,
  bot_id             uuid NOT NULL,
  idempotency_key    text NOT NULL,
  -- As the bot named it; the channel is the thread's parent, else the same.
  conversation_id    uuid NOT NULL,
  channel_id         uuid NOT NULL,
  -- Root of the thread that the placeholder is a reply in.
  parent_message_id  uuid,
  trigger_message_id uuid NOT NULL,
  message_id         uuid NOT NULL,
  widget_id          uuid,
  status             text NOT NULL DEFAULT 'accepted' CHECK (status IN ('accepted', 'queued', 'gathering_context', 'using_tool', 'waiting_tool',
    'waiting_user', 'finalizing', 'completed', 'failed', 'cancelled', 'expired')),
  sequence           bigint NOT NULL DEFAULT 1 CHECK (sequence > 0),
  content            text NOT NULL,
  public_text        text NOT NULL DEFAULT '',
  error_code         text NOT NULL DEFAULT '',
  -- The last accepted PATCH as it was sent: tells its repeat from another one.
  sent_sequence      bigint,
  sent_status        text,
  sent_public_text   text,
  sent_error_code    text,
  file_ids           uuid[] NOT NULL DEFAULT '{}',
  attachment_status  text NOT NULL DEFAULT 'none' CHECK (attachment_status IN ('none', 'pending', 'attached', 'failed')),
  -- When the placeholder was edited last, and when it has to be again: NULL while it shows the present state.
  edited_at          timestamptz,
  edit_due_at        timestamptz,
  started_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at       timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, bot_id, idempotency_key),
  FOREIGN KEY (space_id, channel_id) REFERENCES conversations (space_id, id),
  CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed', 'cancelled', 'expired'))),
  -- What is finished shows its end already: nothing may be edited over it.
  CHECK (completed_at IS NULL OR edit_due_at IS NULL)
) WITH (fillfactor = 80);

-- Runs that may have been forgotten, and placeholders that may have been.
CREATE INDEX agent_runs_working ON agent_runs (updated_at, id) WHERE completed_at IS NULL;
CREATE INDEX agent_runs_edit_due ON agent_runs (edit_due_at, id) WHERE edit_due_at IS NOT NULL;
