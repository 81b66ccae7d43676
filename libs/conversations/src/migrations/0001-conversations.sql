-- Channels, voice chats, direct chats and threads. The row is the lock of its conversation: whoever posts, edits, reacts
-- or changes members holds it, so the order of msg_index and of the outbox is the order of commit.
-- bot_ids repeats which bots are members (conversation_members is the list of everybody): a statement that waited for the
-- row's lock reads the row afresh but every other table by its old snapshot, and who gets an event is judged at its commit.
CREATE TABLE conversations (
  space_id               uuid NOT NULL,
  id                     uuid NOT NULL,
  type                   text NOT NULL CHECK (type ~ '^[a-z_]{1,32}$'),
  subtype                text CHECK (subtype ~ '^[a-z_]{1,32}$'),
  scope                  text NOT NULL CHECK (scope IN ('dm', 'public', 'private')),
  name                   text NOT NULL DEFAULT '',
  parent_conversation_id uuid,
  root_message_id        uuid,
  -- Both member ids of a direct chat, the smaller one first, joined by a colon.
  dm_key                 text,
  created_by             uuid NOT NULL,
  bot_ids                uuid[] NOT NULL DEFAULT '{}',
  last_msg_index         bigint NOT NULL DEFAULT 0,
  -- Time of the last message, edit, deletion or reaction: no two in a conversation have the same, and they grow with the commits.
  last_changed_at        timestamptz,
  created_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  archived_at            timestamptz,
  PRIMARY KEY (space_id, id),
  FOREIGN KEY (space_id, parent_conversation_id) REFERENCES conversations (space_id, id),
  CHECK ((type = 'thread') = (root_message_id IS NOT NULL AND parent_conversation_id IS NOT NULL)),
  CHECK ((dm_key IS NOT NULL) = (scope = 'dm' AND type <> 'thread'))
  -- Room in each page for the new row versions that every message makes; no index has a column that they change.
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX conversations_thread ON conversations (space_id, root_message_id) WHERE root_message_id IS NOT NULL;
CREATE UNIQUE INDEX conversations_direct ON conversations (space_id, dm_key) WHERE dm_key IS NOT NULL;
CREATE INDEX conversations_public ON conversations (space_id, id) WHERE scope = 'public' AND root_message_id IS NULL;

-- Threads have no rows here: their members are their channel's.
CREATE TABLE conversation_members (
  space_id        uuid NOT NULL,
  conversation_id uuid NOT NULL,
  member_id       uuid NOT NULL,
  member_type     text NOT NULL CHECK (member_type IN ('user', 'bot')),
  muted           boolean NOT NULL DEFAULT false,
  joined_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, conversation_id, member_id),
  FOREIGN KEY (space_id, conversation_id) REFERENCES conversations (space_id, id)
);
CREATE INDEX conversation_members_member ON conversation_members (space_id, member_id, conversation_id);

-- The hot table: no foreign keys, and only the two indexes that every message needs.
CREATE TABLE messages (
  space_id           uuid NOT NULL,
  id                 uuid NOT NULL,
  conversation_id    uuid NOT NULL,
  msg_index          bigint NOT NULL,
  author_id          uuid NOT NULL,
  author_type        text NOT NULL CHECK (author_type IN ('user', 'bot', 'webhook', 'system')),
  text               text NOT NULL,
  mentions           uuid[],
  -- Root message of the thread; only on replies, not on what was sent straight to a thread's id.
  thread_id          uuid,
  metadata_json      text,
  display_name       text,
  display_avatar_url text,
  sent_at            timestamptz NOT NULL,
  edited_at          timestamptz,
  deleted_at         timestamptz,
  -- Last edit, deletion or reaction; NULL until then, so that new messages stay out of the index below.
  changed_at         timestamptz,
  PRIMARY KEY (space_id, id),
  UNIQUE (space_id, conversation_id, msg_index)
);
CREATE INDEX messages_changed ON messages (space_id, conversation_id, changed_at) WHERE changed_at IS NOT NULL;

CREATE TABLE reactions (
  space_id   uuid NOT NULL,
  message_id uuid NOT NULL,
  emoji      text NOT NULL,
  user_id    uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, message_id, emoji, user_id),
  FOREIGN KEY (space_id, message_id) REFERENCES messages (space_id, id)
);

-- The highest msg_index that was sent at or before a moment, 0 when there is none. A binary search instead of an index on
-- sent_at: indexes of a conversation are dense and its sent_at grows with them.
CREATE FUNCTION last_msg_index_until(of_space uuid, of_conversation uuid, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low    bigint := 0;
  high   bigint := (SELECT last_msg_index FROM conversations WHERE space_id = of_space AND id = of_conversation);
  middle bigint;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT sent_at <= moment FROM messages WHERE space_id = of_space AND conversation_id = of_conversation AND msg_index = middle) THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;
