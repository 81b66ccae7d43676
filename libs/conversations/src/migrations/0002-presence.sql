-- Who is online, for `@here`. All of it may be lost with the server: the api processes write it again within seconds.

-- Api processes that hold streams. One row each is renewed every few seconds, not one per stream; the streams of a process
-- that fell silent count as gone.
CREATE UNLOGGED TABLE client_presence_processes (
  process_id uuid        PRIMARY KEY,
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Open client streams.
CREATE UNLOGGED TABLE client_presence (
  space_id   uuid        NOT NULL,
  user_id    uuid        NOT NULL,
  stream_id  uuid        NOT NULL,
  process_id uuid        NOT NULL,
  opened_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, user_id, stream_id)
);
CREATE INDEX client_presence_process ON client_presence (process_id);

-- What a person looks at. It holds for the streams that were open at set_at and for those opened shortly afterwards.
CREATE UNLOGGED TABLE client_focus (
  space_id        uuid        NOT NULL,
  user_id         uuid        NOT NULL,
  conversation_id uuid        NOT NULL,
  set_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space_id, user_id)
);
