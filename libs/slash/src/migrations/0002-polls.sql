-- Polls that people have made; each is shown by one message.
CREATE TABLE polls (
  space_id      uuid        NOT NULL,
  message_id    uuid        NOT NULL,
  creator_id    uuid        NOT NULL,
  question      text        NOT NULL,
  options       text[]      NOT NULL CHECK (cardinality(options) BETWEEN 2 AND 10),
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at     timestamptz,
  -- Counts votes and the end. While it is ahead of shown_version the message is to be edited.
  version       integer     NOT NULL DEFAULT 0,
  shown_version integer     NOT NULL DEFAULT 0,
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space_id, message_id)
);
CREATE INDEX polls_unshown ON polls (changed_at) WHERE version > shown_version;

-- What each person votes for now.
CREATE TABLE poll_votes (
  space_id   uuid     NOT NULL,
  message_id uuid     NOT NULL,
  user_id    uuid     NOT NULL,
  -- Place among the options, from 1.
  option     smallint NOT NULL,
  PRIMARY KEY (space_id, message_id, user_id),
  FOREIGN KEY (space_id, message_id) REFERENCES polls (space_id, message_id)
);
