-- Files of bots. The bytes are in the store, under `<space_id>/<id>`; this is what is known about them.
CREATE TABLE files (
  space_id        uuid NOT NULL,
  id              uuid NOT NULL,
  bot_id          uuid NOT NULL,
  -- As the bot named it: the file belongs to it, and to its threads.
  conversation_id uuid NOT NULL,
  file_type       text NOT NULL CHECK (file_type IN ('image', 'audio', 'video', 'document')),
  file_name       text NOT NULL,
  mime_type       text NOT NULL,
  -- As declared; a file becomes ready only when so many bytes are there.
  file_size       bigint NOT NULL CHECK (file_size >= 1),
  width           integer NOT NULL DEFAULT 0,
  height          integer NOT NULL DEFAULT 0,
  status          text NOT NULL DEFAULT 'uploading' CHECK (status IN ('uploading', 'ready')),
  -- Other bytes than declared came: it can never become ready.
  refused_at      timestamptz,
  message_id      uuid,
  -- Its place among the message's files, from 1.
  position        smallint,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, id),
  FOREIGN KEY (space_id, conversation_id) REFERENCES conversations (space_id, id),
  CHECK (message_id IS NULL OR status = 'ready'),
  CHECK (refused_at IS NULL OR status = 'uploading'),
  CHECK ((message_id IS NULL) = (position IS NULL))
);
CREATE INDEX files_message ON files (space_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX files_unattached ON files (created_at) WHERE message_id IS NULL;

-- One row per message that was sent with files. `pending`: the store could not be asked whether the bytes are still there;
-- a worker asks again at check_at.
CREATE TABLE message_attachments (
  space_id   uuid NOT NULL,
  message_id uuid NOT NULL,
  bot_id     uuid NOT NULL,
  status     text NOT NULL CHECK (status IN ('pending', 'attached', 'failed')),
  attempts   integer NOT NULL DEFAULT 0,
  check_at   timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, message_id),
  CHECK ((status = 'pending') = (check_at IS NOT NULL))
);
CREATE INDEX message_attachments_due ON message_attachments (check_at) WHERE status = 'pending';

-- Objects that are to be removed from the store. The file's row is gone already, so that nobody gets a link to them. Until
-- final_after somebody may still send bytes by the file's upload link: they are removed once more then.
CREATE TABLE file_removals (
  space_id    uuid NOT NULL,
  file_id     uuid NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  final_after timestamptz NOT NULL,
  PRIMARY KEY (space_id, file_id)
);
CREATE INDEX file_removals_due ON file_removals (due_at);
