-- Reminders that are still to come. A row is deleted by the transaction that posts it: it is posted once.
CREATE TABLE reminders (
  space_id        uuid        NOT NULL,
  id              uuid        NOT NULL,
  -- Who set it.
  user_id         uuid        NOT NULL,
  -- Whom it reaches as a direct message, the person themself included; null: it goes to the conversation.
  recipient_id    uuid,
  -- Where it was set, as the person named it, and the root message of the thread, if it was set in one.
  conversation_id uuid        NOT NULL,
  thread_id       uuid,
  text            text        NOT NULL,
  due_at          timestamptz NOT NULL,
  -- IANA name: in what zone the person told the time, and is told it.
  time_zone       text        NOT NULL,
  -- due_at, or later when it could not be posted then.
  next_try_at     timestamptz NOT NULL,
  attempts        integer     NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, id)
);
CREATE INDEX reminders_due ON reminders (next_try_at);
CREATE INDEX reminders_of_person ON reminders (space_id, user_id, due_at, id);
