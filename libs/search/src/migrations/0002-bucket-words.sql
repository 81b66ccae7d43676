-- Lists which words occur in a full bucket, so that a search skips the buckets without its words
-- (docs/search.md#the-index).
-- works with: search/0001-search
ALTER TABLE search_buckets ADD is_listed boolean NOT NULL DEFAULT false;
-- Those that a search always reads: the newest of each space, and those that are not listed yet.
CREATE INDEX search_buckets_unlisted ON search_buckets (space_id, starts_at) WHERE NOT is_listed;

-- All words of the messages in a listed bucket, also those of former versions. Each begins with the end of the space's id.
CREATE TABLE search_bucket_words (
  bucket_id bigint NOT NULL,
  space_id  uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  words     tsvector NOT NULL
);
ALTER TABLE search_bucket_words ALTER COLUMN words SET STATISTICS 0;
COMMENT ON TABLE search_bucket_words IS 'derived';
CREATE INDEX search_bucket_words_bucket ON search_bucket_words (bucket_id);
-- A row has some thousand words, which is more than a list of pending entries would hold.
CREATE INDEX search_bucket_words_words ON search_bucket_words USING gin (words) WITH (fastupdate = off);

-- Returns the listed buckets of a space in which `query` matches. The table has few pages, so the planner would read all of it,
-- and with it the words that are stored apart.
CREATE FUNCTION listed_buckets(space uuid, query tsquery) RETURNS TABLE (bucket_id bigint, starts_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT w.bucket_id, w.starts_at FROM search_bucket_words w WHERE w.words @@ query AND w.space_id = space;
END $$;
