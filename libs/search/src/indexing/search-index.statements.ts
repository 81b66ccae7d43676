import { nullable, rfc3339, statement, text } from '@tieline/platform/database';

/** Number of messages after which a space gets its next bucket. */
export const BUCKET_SIZE = 2048;

const BUCKETS = 'SELECT b.id, b.starts_at, b.is_listed FROM search_buckets b WHERE b.space_id = i.space_id';

/**
 * Indexes messages, each in the bucket of its time, and opens the next bucket of a space when the
 * last one is full. A version that is older than the indexed one is ignored. All arrays have one
 * element per message. @returns a row for each space that got a bucket, without a message, and for
 * each message in a listed bucket
 */
export const INDEX_MESSAGES = statement(
  'search_messages.store',
  {
    params: {
      spaceIds: 'uuid[]',
      messageIds: 'uuid[]',
      conversationIds: 'uuid[]',
      channelIds: 'uuid[]',
      scopes: 'text[]',
      authorIds: 'uuid[]',
      rootIds: 'uuid[]',
      sentAts: 'timestamptz[]',
      versions: 'timestamptz[]',
      documents: 'text[]',
    },
    columns: { spaceId: 'uuid', messageId: nullable('uuid') },
  },
  `
  WITH item AS MATERIALIZED (
    SELECT *
    FROM unnest(
      :spaceIds::uuid[],
      :messageIds::uuid[],
      :conversationIds::uuid[],
      :channelIds::uuid[],
      :scopes::text[],
      :authorIds::uuid[],
      :rootIds::uuid[],
      :sentAts::timestamptz[],
      :versions::timestamptz[],
      :documents::text[]
    ) AS i (
      space_id,
      message_id,
      conversation_id,
      channel_id,
      scope,
      author_id,
      root_id,
      sent_at,
      version,
      document
    )
  ), opened AS (
    INSERT INTO search_buckets AS b (space_id, starts_at)
    SELECT
      i.space_id,
      -- The first bucket begins earlier, because transactions end in another order than they begin.
      CASE WHEN newest.starts_at IS NULL THEN i.first_at - interval '1 minute' ELSE i.first_at END
    FROM (SELECT space_id, min(sent_at) AS first_at FROM item GROUP BY space_id) i
    LEFT JOIN LATERAL (
      SELECT b.starts_at, b.messages
      FROM search_buckets b
      WHERE b.space_id = i.space_id
      ORDER BY b.starts_at DESC
      LIMIT 1
    ) newest ON true
    WHERE newest.starts_at IS NULL OR (newest.messages >= ${BUCKET_SIZE} AND i.first_at > newest.starts_at)
    ON CONFLICT (space_id, starts_at) DO UPDATE SET messages = b.messages
    RETURNING b.id, b.space_id, b.starts_at
  ), placed AS MATERIALIZED (
    SELECT i.*, bucket.id AS bucket_id, bucket.is_listed
    FROM item i
    CROSS JOIN LATERAL (
      SELECT near.id, near.is_listed
      FROM (
        SELECT o.id, o.starts_at, false AS is_listed FROM opened o WHERE o.space_id = i.space_id
        UNION ALL
        (${BUCKETS} AND b.starts_at <= i.sent_at ORDER BY b.starts_at DESC LIMIT 1)
        UNION ALL
        (${BUCKETS} ORDER BY b.starts_at LIMIT 1)
      ) near
      ORDER BY near.starts_at > i.sent_at, abs(extract(epoch FROM i.sent_at - near.starts_at))
      LIMIT 1
    ) bucket
  ), stored AS (
    INSERT INTO search_messages AS s (
      message_id,
      space_id,
      bucket_id,
      conversation_id,
      channel_id,
      scope,
      author_id,
      root_id,
      sent_at,
      version,
      words
    )
    SELECT
      message_id,
      space_id,
      bucket_id,
      conversation_id,
      channel_id,
      scope,
      author_id,
      root_id,
      sent_at,
      version,
      replace(document, '#', bucket_id || ':')::tsvector
    FROM placed
    ORDER BY message_id
    ON CONFLICT (message_id, space_id) DO UPDATE
    SET
      bucket_id = excluded.bucket_id,
      version = excluded.version,
      words = excluded.words
    WHERE s.version <= excluded.version
    RETURNING s.bucket_id, s.xmax = 0 AS is_new
  ), counted AS (
    UPDATE search_buckets b
    SET messages = b.messages + added.count
    FROM (SELECT bucket_id, count(*)::int AS count FROM stored WHERE is_new GROUP BY bucket_id) added
    WHERE b.id = added.bucket_id
  )
  SELECT space_id AS "spaceId", NULL::uuid AS "messageId" FROM opened
  UNION ALL
  SELECT space_id, message_id FROM placed WHERE is_listed
  `,
);

/** Removes deleted messages. $1 spaces, $2 messages */
export const REMOVE_MESSAGES = statement(
  'search_messages.remove',
  `DELETE FROM search_messages s
   USING unnest($1::uuid[], $2::uuid[]) AS gone(space_id, message_id)
   WHERE s.message_id = gone.message_id AND s.space_id = gone.space_id`,
  {},
);

/** A message as the index needs it. */
const SOURCE = {
  spaceId: 'uuid',
  messageId: 'uuid',
  conversationId: 'uuid',
  channelId: 'uuid',
  scope: text<'dm' | 'public' | 'private'>(),
  authorId: 'uuid',
  rootId: nullable('uuid'),
  sentAt: 'text',
  version: 'text',
  text: 'text',
  hasFile: 'bool',
  hasReaction: 'bool',
  isPinned: 'bool',
} as const;

const SOURCE_COLUMNS = `
  m.space_id AS "spaceId",
  m.id AS "messageId",
  c.id AS "conversationId",
  coalesce(c.parent_conversation_id, c.id) AS "channelId",
  c.scope,
  m.author_id AS "authorId",
  c.root_message_id AS "rootId",
  ${rfc3339('m.sent_at')} AS "sentAt",
  ${rfc3339('coalesce(m.changed_at, m.sent_at)')} AS version,
  m.text,
  EXISTS (SELECT 1 FROM files f WHERE f.space_id = m.space_id AND f.message_id = m.id) AS "hasFile",
  m.changed_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM reactions r WHERE r.space_id = m.space_id AND r.message_id = m.id)
    AS "hasReaction",
  m.changed_at IS NOT NULL AND EXISTS (
    SELECT 1
    FROM pins p
    WHERE p.space_id = m.space_id AND p.conversation_id = m.conversation_id AND p.message_id = m.id
  ) AS "isPinned"`;

/** One lookup per message in any plan. */
const PLACE = `CROSS JOIN LATERAL (
     SELECT * FROM conversations WHERE space_id = m.space_id AND id = m.conversation_id OFFSET 0
   ) c`;

/** Reads messages that changed. $1 spaces, $2 messages */
export const READ_CHANGED = statement(
  'search_messages.read_changed',
  `SELECT ${SOURCE_COLUMNS}
   FROM unnest($1::uuid[], $2::uuid[]) AS changed(space_id, message_id)
   CROSS JOIN LATERAL (
     SELECT *
     FROM messages
     WHERE space_id = changed.space_id AND id = changed.message_id AND deleted_at IS NULL
     OFFSET 0
   ) m
   ${PLACE}`,
  SOURCE,
);

/** Reads messages of a space, from the newest id. $1 space, $2 before this id, $3 limit */
export const READ_EARLIER = statement(
  'search_messages.read_earlier',
  `SELECT ${SOURCE_COLUMNS}, m.deleted_at IS NOT NULL AS "isDeleted"
   FROM messages m
   ${PLACE}
   WHERE m.space_id = $1 AND m.id < $2::uuid
   ORDER BY m.id DESC
   LIMIT $3::int`,
  { ...SOURCE, isDeleted: 'bool' },
);

/** Removes those of the given messages that are deleted by now. $1 space, $2 messages */
export const REMOVE_DELETED = statement(
  'search_messages.remove_deleted',
  `DELETE FROM search_messages s
   USING messages m
   WHERE s.message_id = ANY ($2::uuid[]) AND s.space_id = $1
     AND m.space_id = $1 AND m.id = s.message_id AND m.deleted_at IS NOT NULL`,
  {},
);

/** Moves pending entries of the index to their places. Every lookup reads those that remain. */
export const SETTLE_ENTRIES = statement(
  'search_messages.settle_entries',
  `SELECT gin_clean_pending_list('search_messages_words'::regclass) AS pages`,
  { pages: 'int8' },
);

/**
 * Records that everything planned so far is indexed, and locks the index until the transaction ends
 * (`LOCK_INDEX`). Not while messages may be missing, because these are looked for since then.
 */
export const RECORD_FLUSH = statement(
  'search_clock.record_flush',
  'UPDATE search_clock SET flushed_at = clock_timestamp()',
  {},
);

const SINCE = "SELECT max(flushed_at) - interval '10 minutes' AS since FROM search_clock";

/**
 * Finds conversations that changed since ten minutes before the last flush, in the order of their
 * ids. $1 space and $2 id of the last one found, $3 limit
 */
export const FIND_CHANGED_CONVERSATIONS = statement(
  'search_clock.find_changed_conversations',
  `SELECT space_id AS "spaceId", id
   FROM conversations
   WHERE (space_id, id) > ($1::uuid, $2::uuid) AND last_changed_at > (${SINCE})
   ORDER BY space_id, id
   LIMIT $3::int`,
  { spaceId: 'uuid', id: 'uuid' },
);

const RECENT_COLUMNS =
  'space_id, id, coalesce(changed_at, sent_at) AS version, deleted_at IS NOT NULL AS is_deleted';

/**
 * Finds messages of these conversations that were sent or changed since ten minutes before the last
 * flush and are missing: their version is not indexed, or they are deleted and still indexed.
 * $1 spaces, $2 conversations, $3 limit
 */
export const FIND_MISSED = statement(
  'search_messages.find_missed',
  `WITH clock AS MATERIALIZED (${SINCE})
   SELECT m.space_id AS "spaceId", m.id AS "messageId"
   FROM clock
   CROSS JOIN unnest($1::uuid[], $2::uuid[]) AS c (space_id, id)
   CROSS JOIN LATERAL (
     SELECT ${RECENT_COLUMNS}
     FROM messages
     WHERE space_id = c.space_id AND conversation_id = c.id
       AND msg_index > (SELECT last_msg_index_until(c.space_id, c.id, clock.since))
     UNION
     SELECT ${RECENT_COLUMNS}
     FROM messages
     WHERE space_id = c.space_id AND conversation_id = c.id AND changed_at > clock.since
   ) m
   LEFT JOIN LATERAL (
     SELECT version FROM search_messages WHERE message_id = m.id AND space_id = m.space_id OFFSET 0
   ) indexed ON true
   WHERE CASE
     WHEN m.is_deleted THEN indexed.version IS NOT NULL
     ELSE coalesce(indexed.version < m.version, true)
   END
   LIMIT $3::int`,
  { spaceId: 'uuid', messageId: 'uuid' },
);
