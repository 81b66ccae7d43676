-- What search finds (docs/search.md#the-index). All of it is derived from other tables: exports leave it out, and workers
-- build what is missing.
-- works with: conversations/0011-open-channels

-- A bucket holds about 2,000 messages of a space that were sent between its start and the start of the next one. Keys of
-- the index begin with the bucket's id. A search reads the buckets of its space from the newest, and stops when it has a page.
CREATE TABLE search_buckets (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  space_id  uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  messages  integer NOT NULL DEFAULT 0,
  UNIQUE (space_id, starts_at)
) WITH (fillfactor = 70);
COMMENT ON TABLE search_buckets IS 'derived';

CREATE TABLE search_messages (
  message_id      uuid NOT NULL,
  space_id        uuid NOT NULL,
  bucket_id       bigint NOT NULL,
  conversation_id uuid NOT NULL,
  -- Its channel, for a message in a thread. A conversation never changes its scope.
  channel_id      uuid NOT NULL,
  scope           text NOT NULL,
  author_id       uuid NOT NULL,
  root_id         uuid,
  sent_at         timestamptz NOT NULL,
  -- When the message was sent or last changed: an older version never replaces a newer one.
  version         timestamptz NOT NULL,
  words           tsvector NOT NULL,
  -- No index begins with the space: a plan that reads all messages of a space must not look cheap.
  PRIMARY KEY (message_id, space_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Without statistics every word counts as equally rare, so the plan never depends on the word.
ALTER TABLE search_messages ALTER COLUMN words SET STATISTICS 0;
COMMENT ON TABLE search_messages IS 'derived';
-- Inserts go through the list of pending entries: without it a message writes 9 KB of WAL instead of 1 KB, because the
-- entry of a frequent word is written as a whole. The list is short, because every lookup reads all of it.
CREATE INDEX search_messages_words ON search_messages USING gin (words) WITH (gin_pending_list_limit = 64);

-- How far the messages of a space that existed before the index are in it.
CREATE TABLE search_spaces (
  space_id     uuid PRIMARY KEY,
  -- Messages before this id are still missing. NULL: nothing was read yet.
  position     uuid,
  total        bigint NOT NULL DEFAULT 0,
  done         bigint NOT NULL DEFAULT 0,
  completed_at timestamptz
);
COMMENT ON TABLE search_spaces IS 'derived';
CREATE INDEX search_spaces_incomplete ON search_spaces (space_id) WHERE completed_at IS NULL;

-- When the worker that relays last stored what it had planned. After its death, the next one indexes again what was
-- sent or changed shortly before.
CREATE TABLE search_clock (
  flushed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE search_clock IS 'derived';
INSERT INTO search_clock DEFAULT VALUES;
