-- What a push would say of an event besides its data, for sockets, and by which of its bot's events it has to wait there: null for
-- what nobody waits for (clicks, commands, questions for choices).
-- works with: bots/0011-retry-profiles
ALTER TABLE poll_records ADD COLUMN head text;
ALTER TABLE poll_records ADD COLUMN conversation_id uuid;
-- How far a bot has polled: nothing up to there is sent over its sockets any more.
CREATE TABLE poll_positions (
  space_id  uuid   NOT NULL,
  bot_id    uuid   NOT NULL,
  polled_to bigint NOT NULL,
  PRIMARY KEY (space_id, bot_id)
) WITH (fillfactor = 50);
-- How far records have been given envelopes. The row's lock is held by whoever changes anything about the bot's envelopes or sockets.
CREATE TABLE socket_queues (
  space_id  uuid   NOT NULL,
  bot_id    uuid   NOT NULL,
  taken_to  bigint NOT NULL DEFAULT 0,
  -- The same for clicks, commands and questions, which overtake events.
  urgent_to bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (space_id, bot_id)
) WITH (fillfactor = 50);
-- Open sockets, wherever they are; one that nobody has confirmed for a while is gone.
CREATE TABLE bot_sockets (
  space_id      uuid        NOT NULL,
  bot_id        uuid        NOT NULL,
  connection_id uuid        NOT NULL,
  seen_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, bot_id, connection_id)
);
CREATE INDEX bot_sockets_seen ON bot_sockets (seen_at);
-- Records that a socket of their bot is to get, until they are acknowledged. `waiting`: behind another of its conversation;
-- `ready`; `sent`, until due_at; `left` to polling after the last sending.
CREATE TABLE socket_envelopes (
  space_id        uuid        NOT NULL,
  bot_id          uuid        NOT NULL,
  record_id       bigint      NOT NULL,
  conversation_id uuid,
  is_urgent       boolean     NOT NULL,
  state           text        NOT NULL CHECK (state IN ('waiting', 'ready', 'sent', 'left')),
  attempt         integer     NOT NULL DEFAULT 0,
  due_at          timestamptz,
  PRIMARY KEY (space_id, bot_id, record_id)
);
CREATE INDEX socket_envelopes_ready ON socket_envelopes (space_id, bot_id, (NOT is_urgent), record_id) WHERE state = 'ready';
CREATE INDEX socket_envelopes_due ON socket_envelopes (space_id, bot_id, due_at) WHERE state = 'sent';
CREATE INDEX socket_envelopes_order ON socket_envelopes (space_id, bot_id, conversation_id, record_id)
  WHERE state <> 'left' AND conversation_id IS NOT NULL;
CREATE INDEX socket_envelopes_age ON socket_envelopes (record_id);
CREATE INDEX poll_records_urgent ON poll_records (space_id, bot_id, id)
  WHERE event_type IN ('button.click', 'select.submit', 'modal.submit', 'modal.closed', 'modal.options', 'slash.command', 'command.options');
-- People who wait for the answer that an acknowledgement carries. `outcome` is null until there is one.
CREATE TABLE answer_waits (
  space_id    uuid        NOT NULL,
  id          uuid        NOT NULL,
  bot_id      uuid        NOT NULL,
  waits_until timestamptz NOT NULL,
  outcome     jsonb,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX answer_waits_until ON answer_waits (waits_until);
-- The next records in order, always by an index, like poll_page.
CREATE FUNCTION socket_window(of_space uuid, of_bot uuid, after bigint, at_most integer)
RETURNS TABLE (id bigint, event_type text, conversation_id uuid)
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT r.id, r.event_type, r.conversation_id FROM poll_records r
   WHERE r.space_id = of_space AND r.bot_id = of_bot AND r.id > after ORDER BY r.id LIMIT at_most
$$;
CREATE FUNCTION socket_urgent_window(of_space uuid, of_bot uuid, after bigint, at_most integer)
RETURNS TABLE (id bigint)
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT r.id FROM poll_records r
   WHERE r.space_id = of_space AND r.bot_id = of_bot AND r.id > after
     AND r.event_type IN ('button.click', 'select.submit', 'modal.submit', 'modal.closed', 'modal.options', 'slash.command', 'command.options')
   ORDER BY r.id LIMIT at_most
$$;
-- One record; whatever the plan, by its key.
CREATE FUNCTION poll_record(of_space uuid, of_bot uuid, with_id bigint)
RETURNS TABLE (event_id uuid, event_type text, head text, payload text)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT r.event_id, r.event_type, r.head, r.payload FROM poll_records r
   WHERE r.space_id = of_space AND r.bot_id = of_bot AND r.id = with_id
$$;
