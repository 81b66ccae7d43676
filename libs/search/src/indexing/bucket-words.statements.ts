import { statement } from '@tieline/platform/database';

/** Number of words in a row. A `tsvector` has at most 1 MB, and a word at most 264 bytes. */
const WORDS_PER_ROW = 3000;

/** Beginning of the words of a space: short, because each word has it. Collisions are harmless. */
export const spaceKey = (spaceId: string): string => `right(${spaceId}::text, 8)`;

/** Words without the bucket that they begin with. */
const WORDS_OF_MESSAGES = `
  SELECT DISTINCT s.bucket_id, substr(lexeme, length(s.bucket_id::text) + 2) AS word
  FROM s
  CROSS JOIN LATERAL unnest(tsvector_to_array(s.words)) AS lexeme`;

/** Stores the rows of `word`, with the buckets of `bucket`. */
const STORE_WORDS = `
  INSERT INTO search_bucket_words (bucket_id, space_id, starts_at, words)
  SELECT
    bucket.id,
    bucket.space_id,
    bucket.starts_at,
    array_to_tsvector(array_agg(${spaceKey('bucket.space_id')} || part.word))
  FROM bucket
  JOIN (
    SELECT
      bucket_id,
      word,
      row_number() OVER (PARTITION BY bucket_id ORDER BY word) / ${WORDS_PER_ROW} AS n
    FROM word
  ) part ON part.bucket_id = bucket.id
  GROUP BY bucket.id, bucket.space_id, bucket.starts_at, part.n`;

/**
 * Locks the index until the transaction ends. Indexing and listing begin with it: a message must
 * not come into a bucket while its words are being listed.
 */
export const LOCK_INDEX = statement('search_clock.lock', 'SELECT FROM search_clock FOR UPDATE', {});

/** Finds the spaces that have buckets to list. Reads all spaces. */
export const FIND_UNLISTED = statement(
  'search_buckets.find_unlisted',
  `SELECT space_id AS "spaceId"
   FROM search_buckets
   WHERE NOT is_listed
   GROUP BY space_id
   HAVING count(*) > 1`,
  { spaceId: 'uuid' },
);

/**
 * Lists the words of a space's oldest bucket that is not listed. Leaves out the newest bucket,
 * which grows, and spaces whose earlier messages are being indexed. $1 space @returns the bucket,
 * if one was left
 */
export const LIST_BUCKET = statement(
  'search_bucket_words.list_bucket',
  `WITH bucket AS MATERIALIZED (
     UPDATE search_buckets b
     SET is_listed = true
     WHERE b.id = (
       SELECT id
       FROM search_buckets
       WHERE space_id = $1::uuid AND NOT is_listed
         AND starts_at < (SELECT max(starts_at) FROM search_buckets WHERE space_id = $1)
         AND EXISTS (SELECT FROM search_spaces WHERE space_id = $1 AND completed_at IS NOT NULL)
       ORDER BY starts_at
       LIMIT 1
     )
     RETURNING b.id, b.space_id, b.starts_at
   ), s AS MATERIALIZED (
     SELECT one.bucket_id, one.words
     FROM bucket
     CROSS JOIN LATERAL (
       SELECT *
       FROM search_messages
       -- Every message has a conversation, so this finds all.
       WHERE words @@ ('''' || bucket.id || '::c'':*')::tsquery AND bucket_id = bucket.id
       OFFSET 0
     ) one
   ), word AS MATERIALIZED (${WORDS_OF_MESSAGES}), stored AS (${STORE_WORDS})
   SELECT id AS "bucketId" FROM bucket`,
  { bucketId: 'int8' },
);

/** Adds the words of messages in listed buckets that these lack. $1 spaces, $2 messages */
export const ADD_WORDS = statement(
  'search_bucket_words.add',
  `WITH s AS MATERIALIZED (
     SELECT one.bucket_id, one.words
     FROM unnest($1::uuid[], $2::uuid[]) AS given (space_id, message_id)
     CROSS JOIN LATERAL (
       SELECT * FROM search_messages WHERE message_id = given.message_id AND space_id = given.space_id OFFSET 0
     ) one
   ), bucket AS MATERIALIZED (
     SELECT b.id, b.space_id, b.starts_at
     FROM (SELECT DISTINCT bucket_id FROM s) touched
     JOIN search_buckets b ON b.id = touched.bucket_id AND b.is_listed
   ), word AS MATERIALIZED (
     ${WORDS_OF_MESSAGES}
     EXCEPT
     SELECT bucket.id, substr(lexeme, 9)
     FROM bucket
     CROSS JOIN LATERAL (SELECT words FROM search_bucket_words WHERE bucket_id = bucket.id OFFSET 0) listed
     CROSS JOIN LATERAL unnest(tsvector_to_array(listed.words)) AS lexeme
   )
   ${STORE_WORDS}`,
  {},
);
