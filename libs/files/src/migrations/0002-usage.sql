-- works with: files/0001-files
-- What a space's files take, as declared, so that a quota needs no sum. Triggers keep it right whoever writes.
CREATE TABLE file_usage (
  space_id uuid PRIMARY KEY,
  bytes    bigint NOT NULL CHECK (bytes >= 0)
);
INSERT INTO file_usage (space_id, bytes) SELECT space_id, sum(file_size) FROM files GROUP BY space_id;

CREATE FUNCTION count_new_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_usage AS u (space_id, bytes)
    SELECT space_id, sum(file_size) FROM added GROUP BY space_id ORDER BY space_id
    ON CONFLICT (space_id) DO UPDATE SET bytes = u.bytes + excluded.bytes;
  RETURN NULL;
END $$;

-- Rows in order of their ids: two that drop files of several spaces never wait for each other.
CREATE FUNCTION count_dropped_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM file_usage WHERE space_id IN (SELECT space_id FROM dropped) ORDER BY space_id FOR UPDATE;
  UPDATE file_usage u SET bytes = u.bytes - d.bytes
    FROM (SELECT space_id, sum(file_size) AS bytes FROM dropped GROUP BY space_id) d WHERE u.space_id = d.space_id;
  RETURN NULL;
END $$;

CREATE TRIGGER files_added AFTER INSERT ON files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_new_files();
CREATE TRIGGER files_dropped AFTER DELETE ON files REFERENCING OLD TABLE AS dropped FOR EACH STATEMENT EXECUTE FUNCTION count_dropped_files();
