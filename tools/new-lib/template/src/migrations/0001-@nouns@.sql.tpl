CREATE TABLE @nouns_@ (
  space_id   uuid NOT NULL,
  id         uuid NOT NULL,
  name       text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (space_id, id)
);
