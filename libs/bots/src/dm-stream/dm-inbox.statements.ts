import { nullable, rfc3339, statement, text } from '@tieline/platform/database';
import type { Conversation } from '@tieline/conversations';

/** Number of entries read for one stream at a time. A process holds no more of an inbox. */
export const PAGE = 10;

/**
 * Returns where new streams start: after what their bots have received, or later if more messages
 * wait than are kept.
 */
export const FIND_DM_POSITIONS = statement(
  'dm_inbox_positions.find',
  `SELECT (wanted.n - 1)::int AS n, greatest(p.position, edge.position, 0) AS position
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(space_id, bot_id, n)
     LEFT JOIN dm_inbox_positions p ON p.space_id = wanted.space_id AND p.bot_id = wanted.bot_id
     LEFT JOIN LATERAL (
       SELECT d.position FROM dm_inbox d
        WHERE d.space_id = wanted.space_id AND d.bot_id = wanted.bot_id AND d.position > coalesce(p.position, 0)
        ORDER BY d.position DESC OFFSET (SELECT $3::int) LIMIT 1
     ) edge ON true`,
  { n: 'int4', position: 'int8' },
);

/**
 * Returns the resume position of a stream that names its last entry, or a later one if more than
 * `limit` messages wait. `known`: whether it is an entry of the bot.
 */
export const FIND_RESUME_POSITION = statement(
  'dm_inbox.find_resume_position',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      last: 'int8',
      limit: 'int4',
    },
    columns: { position: 'int8', known: 'bool' },
  },
  `
  SELECT
    greatest(
      :last::int8,
      (
        SELECT d.position
        FROM dm_inbox d
        WHERE d.space_id = :spaceId AND d.bot_id = :botId
        ORDER BY d.position DESC
        OFFSET :limit::int
        LIMIT 1
      )
    ) AS position,
    EXISTS (
      SELECT
      FROM dm_inbox d
      WHERE d.space_id = :spaceId AND d.bot_id = :botId AND d.position = :last
    ) AS known
  `,
);

/**
 * Returns the next entries of several inboxes, with the current state of their messages; null for a
 * message that is deleted or older than `ttlHours`.
 *
 * Each message is looked up by its key in a subquery that cannot become a join, because a planner
 * that does not know the table's size yet would read all of it. Unprepared: streams open early in
 * the life of an installation, and a plan for empty tables would be cached.
 */
export const READ_DM_INBOXES = statement(
  'dm_inbox.read',
  {
    params: {
      spaceIds: 'uuid[]',
      botIds: 'uuid[]',
      after: 'int8[]',
      ttlHours: 'int4',
    },
    columns: {
      n: 'int4',
      position: 'int8',
      messageId: nullable('uuid'),
      conversationId: nullable('uuid'),
      authorId: nullable('uuid'),
      text: nullable('text'),
      msgIndex: nullable('int8'),
      sentAt: nullable('text'),
      type: nullable('text'),
      scope: nullable(text<Conversation['scope']>()),
      subtype: nullable('text'),
      parentConversationId: nullable('uuid'),
      channelType: nullable('text'),
    },
  },
  `
  SELECT
    (wanted.n - 1)::int AS n,
    i.position,
    found.*
  FROM unnest(:spaceIds::uuid[], :botIds::uuid[], :after::int8[])
    WITH ORDINALITY AS wanted (space_id, bot_id, after, n)
  CROSS JOIN LATERAL (
    SELECT d.*
    FROM dm_inbox d
    WHERE d.space_id = wanted.space_id AND d.bot_id = wanted.bot_id AND d.position > wanted.after
    ORDER BY d.position
    LIMIT ${PAGE}
  ) i
  LEFT JOIN LATERAL (
    SELECT
      m.id AS "messageId",
      m.conversation_id AS "conversationId",
      m.author_id AS "authorId",
      m.text,
      m.msg_index AS "msgIndex",
      ${rfc3339('m.sent_at')} AS "sentAt",
      c.type,
      c.scope,
      c.subtype,
      c.parent_conversation_id AS "parentConversationId",
      coalesce(parent.type, c.type) AS "channelType"
    FROM messages m
    JOIN conversations c ON c.space_id = m.space_id AND c.id = m.conversation_id
    LEFT JOIN conversations parent
      ON parent.space_id = c.space_id AND parent.id = c.parent_conversation_id
    WHERE m.space_id = i.space_id AND m.id = i.message_id AND m.deleted_at IS NULL
    LIMIT 1
  ) found ON i.created_at > now() - :ttlHours::int * interval '1 hour'
  ORDER BY wanted.n, i.position
  `,
);

/** Adds entries in the given order, so that their positions follow it. */
export const WRITE_DM_INBOX = statement(
  'dm_inbox.write',
  {
    params: {
      spaceIds: 'uuid[]',
      botIds: 'uuid[]',
      conversationIds: 'uuid[]',
      messageIds: 'uuid[]',
      eventIds: 'uuid[]',
    },
    columns: {},
  },
  `
  INSERT INTO dm_inbox (
    space_id,
    bot_id,
    conversation_id,
    message_id,
    event_id
  )
  SELECT
    space_id,
    bot_id,
    conversation_id,
    message_id,
    event_id
  FROM unnest(
    :spaceIds::uuid[],
    :botIds::uuid[],
    :conversationIds::uuid[],
    :messageIds::uuid[],
    :eventIds::uuid[]
  ) WITH ORDINALITY AS e (space_id, bot_id, conversation_id, message_id, event_id, n)
  ORDER BY n
  `,
);

/**
 * Stores how far bots have read. Rows are written in key order, so that concurrent writers cannot
 * deadlock. The commit does not wait for the disk: a server crash may lose the last positions,
 * which repeats messages but never loses any.
 */
export const WRITE_DM_POSITIONS = statement(
  'dm_inbox_positions.write',
  `INSERT INTO dm_inbox_positions AS p (space_id, bot_id, position)
   SELECT got.space_id, got.bot_id, got.position
     FROM unnest($1::uuid[], $2::uuid[], $3::int8[]) AS got(space_id, bot_id, position), (SELECT set_config('synchronous_commit', 'off', true)) s
    ORDER BY got.space_id, got.bot_id
   ON CONFLICT (space_id, bot_id) DO UPDATE SET position = excluded.position WHERE p.position < excluded.position`,
  {},
);

/** Takes an advisory lock until the end of the transaction, unless another process holds it. */
export const TRY_TIDYING_LOCK = statement(
  'dm_inbox.take_tidying_lock',
  'SELECT pg_try_advisory_xact_lock($1) AS held',
  {
    held: 'bool',
  },
);

/** Number of entries that {@link EXPIRE_DMS} and {@link TRIM_DMS} remove at a time. */
export const TIDIED_BATCH = 5_000;

/** Removes entries older than this many hours, oldest first. */
export const EXPIRE_DMS = statement(
  'dm_inbox.expire',
  `DELETE FROM dm_inbox WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM dm_inbox WHERE created_at < now() - $1::int * interval '1 hour' ORDER BY created_at LIMIT ${TIDIED_BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING 1 AS n`,
  { n: 'int4' },
);

/**
 * Removes entries that bots have received, and all but the latest of each bot. Reads only bots with
 * recent entries; the others are already trimmed. Keeps entries of the last minute, which may still
 * be in transit to a stream.
 */
export const TRIM_DMS = statement(
  'dm_inbox.trim',
  `WITH recent AS (
    SELECT DISTINCT space_id, bot_id FROM dm_inbox WHERE created_at > now() - interval '5 minutes'
  ), edge AS (
    SELECT r.space_id, r.bot_id, greatest(
      (SELECT p.position FROM dm_inbox_positions p WHERE p.space_id = r.space_id AND p.bot_id = r.bot_id),
      (SELECT d.position FROM dm_inbox d WHERE d.space_id = r.space_id AND d.bot_id = r.bot_id ORDER BY d.position DESC OFFSET $1::int LIMIT 1)
    ) AS position FROM recent r
  )
  DELETE FROM dm_inbox WHERE ctid = ANY (ARRAY(
    SELECT superfluous.ctid FROM edge CROSS JOIN LATERAL (
      SELECT d.ctid FROM dm_inbox d
       WHERE d.space_id = edge.space_id AND d.bot_id = edge.bot_id AND d.position <= edge.position AND d.created_at < now() - interval '1 minute'
       ORDER BY d.position LIMIT ${TIDIED_BATCH}
    ) superfluous LIMIT ${TIDIED_BATCH}))
  RETURNING 1 AS n`,
  { n: 'int4' },
);
