import { MESSAGE, MESSAGE_COLUMNS } from '@tieline/conversations';
import { nullable, statement } from '@tieline/platform/database';
import { spaceKey } from '../indexing/bucket-words.statements.js';

/**
 * Up to this number of conversations, the index itself leaves out what the reader may not read.
 * More of them would cost each bucket more than the messages they leave out.
 */
const MAX_NARROWING = 20;

const narrowTo = (id: string): string => `'''#:c' || right(${id}::text, 12) || ''''`;

/** Buckets that are read without looking up which words they have: most searches end in them. */
const NEAR_BUCKETS = 2;

/**
 * Matches in the buckets of a CTE, from the newest, until a page is full. The order of buckets
 * holds in any plan: a subquery with ORDER BY stays the outer side of its LATERAL join.
 */
const hitsIn = (buckets: string): string => `
    SELECT hit.message_id, hit.sent_at
    FROM (SELECT id FROM ${buckets} ORDER BY starts_at DESC) bucket
    CROSS JOIN LATERAL (
      SELECT s.message_id, s.sent_at
      FROM search_messages s
      WHERE s.words @@ replace(:query::text || (SELECT narrowing FROM place), '#', bucket.id || ':')::tsquery
        AND s.bucket_id = bucket.id
        AND s.sent_at >= :since
        AND (s.sent_at, s.message_id) < (:until, :untilId::uuid)
        AND (:conversationId IS NULL OR s.channel_id = :conversationId OR s.conversation_id = :conversationId)
        AND (:authorId::uuid IS NULL OR s.author_id = :authorId)
        AND (:rootId::uuid IS NULL OR s.root_id = :rootId)
        AND ((s.scope = 'public' AND :readsPublic) OR s.channel_id IN (SELECT id FROM own))
        AND (s.scope = 'dm' OR cardinality(:channelIds) = 0 OR s.channel_id = ANY (:channelIds))
      ORDER BY s.sent_at DESC, s.message_id DESC
      LIMIT :limit::int
    ) hit
    LIMIT :limit`;

/**
 * Finds messages that the reader may read, newest first. Reads the newest buckets of the time that
 * is searched, and then, if the page is not full, those that have each of `bucketQueries`. So the
 * cost depends on the matches, and not on the number of buckets. OFFSET 0 makes each row of the
 * page one lookup in any plan.
 */
export const SEARCH_MESSAGES = statement(
  'search_messages.find',
  {
    params: {
      spaceId: 'uuid',
      readerId: 'uuid',
      /** Whether the reader reads public channels without being a member. */
      readsPublic: 'bool',
      /** Channels that a bot is limited to; empty: all. */
      channelIds: 'uuid[]',
      /** Text of a `tsquery` in which `#` stands for the bucket. */
      query: 'text',
      /** What must occur in a bucket: texts of `tsquery` in which `#` stands for the space. */
      bucketQueries: 'text[]',
      conversationId: nullable('uuid'),
      authorId: nullable('uuid'),
      rootId: nullable('uuid'),
      /** Inclusive. */
      since: 'timestamptz',
      /** Finds messages before this time, or at this time with a smaller id than the next one. */
      until: 'timestamptz',
      untilId: 'uuid',
      limit: 'int4',
    },
    columns: {
      ...MESSAGE,
      foundId: 'uuid',
      /** Microseconds. */
      foundAt: 'text',
      /** False if it was deleted or is not there any more; the other columns are then null. */
      isThere: 'bool',
      placeName: 'text',
      placeType: 'text',
    },
  },
  `
  WITH own AS MATERIALIZED (
    SELECT conversation_id AS id
    FROM conversation_members
    WHERE space_id = :spaceId AND member_id = :readerId
  ), few AS (
    SELECT '''#:p''' AS key WHERE :readsPublic::boolean AND cardinality(:channelIds::uuid[]) = 0
    UNION ALL
    SELECT ${narrowTo('limited.id')} FROM unnest(:channelIds) AS limited (id)
    UNION ALL
    (SELECT ${narrowTo('own.id')} FROM own LIMIT ${MAX_NARROWING} + 1)
  ), place AS MATERIALIZED (
    SELECT
      CASE
        WHEN count(*) > ${MAX_NARROWING} OR :conversationId::uuid IS NOT NULL THEN ''
        -- No message has this key.
        WHEN count(*) = 0 THEN ' & ''#:'''
        ELSE ' & (' || string_agg(key, ' | ') || ')'
      END AS narrowing
    FROM few
  ), first AS MATERIALIZED (
    SELECT coalesce(max(starts_at), '-infinity') AS starts_at
    FROM search_buckets
    WHERE space_id = :spaceId AND starts_at <= :since::timestamptz
  ), near AS MATERIALIZED (
    SELECT id, starts_at
    FROM search_buckets
    WHERE space_id = :spaceId AND starts_at <= :until::timestamptz
      AND starts_at >= (SELECT starts_at FROM first)
    ORDER BY starts_at DESC
    LIMIT ${NEAR_BUCKETS}
  ), near_hit AS MATERIALIZED (${hitsIn('near')}
  ), far AS MATERIALIZED (
    SELECT id, starts_at
    FROM (
      SELECT id, starts_at FROM search_buckets WHERE space_id = :spaceId AND NOT is_listed
      UNION ALL
      SELECT listed.bucket_id, listed.starts_at
      FROM unnest(:bucketQueries::text[]) WITH ORDINALITY AS required (query, n)
      CROSS JOIN LATERAL
        listed_buckets(:spaceId, replace(required.query, '#', ${spaceKey(':spaceId')})::tsquery) listed
      GROUP BY listed.bucket_id, listed.starts_at
      HAVING count(DISTINCT required.n) = cardinality(:bucketQueries)
      UNION ALL
      SELECT id, starts_at
      FROM search_buckets
      WHERE cardinality(:bucketQueries) = 0 AND space_id = :spaceId AND is_listed
    ) candidate
    WHERE (SELECT count(*) FROM near_hit) < :limit
      AND starts_at < (SELECT min(starts_at) FROM near)
      AND starts_at >= (SELECT starts_at FROM first)
  ), found AS MATERIALIZED (
    SELECT * FROM near_hit
    UNION ALL
    SELECT * FROM (${hitsIn('far')}
    ) far_hit
    ORDER BY sent_at DESC, message_id DESC
    LIMIT :limit
  )
  SELECT
    ${MESSAGE_COLUMNS},
    found.message_id AS "foundId",
    (extract(epoch FROM found.sent_at) * 1000000)::bigint::text AS "foundAt",
    m.id IS NOT NULL AS "isThere",
    coalesce(channel.name, '') AS "placeName",
    coalesce(c.type, '') AS "placeType"
  FROM found
  LEFT JOIN LATERAL (
    SELECT * FROM messages WHERE space_id = :spaceId AND id = found.message_id AND deleted_at IS NULL OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT * FROM conversations WHERE space_id = :spaceId AND id = m.conversation_id OFFSET 0
  ) c ON true
  LEFT JOIN LATERAL (
    SELECT name
    FROM conversations
    WHERE space_id = :spaceId AND id = coalesce(c.parent_conversation_id, c.id)
    OFFSET 0
  ) channel ON true
  ORDER BY found.sent_at DESC, found.message_id DESC
  `,
);
