import { nullable, statement } from '@tieline/platform/database';

const COLUMNS = `space_id AS "spaceId", id, bot_id AS "botId", conversation_id AS "conversationId", parent_message_id AS "parentMessageId",
  content, metadata_json AS "metadataJson", display_name AS "displayName", display_avatar_url AS "displayAvatarUrl", post_at AS "postAt"`;
const MESSAGE = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: 'uuid',
  conversationId: 'uuid',
  parentMessageId: nullable('uuid'),
  content: 'text',
  metadataJson: nullable('text'),
  displayName: nullable('text'),
  displayAvatarUrl: nullable('text'),
  postAt: 'timestamptz',
} as const;
/** What other products add to a message. Lists do not read it. */
const FOREIGN = { sourceJson: nullable('text'), textDerived: nullable('bool') } as const;
const LISTED = { ...MESSAGE, errorCode: nullable('text'), createdAt: 'timestamptz' } as const;

/** Serializes a bot's new scheduled messages until the end of the transaction. $1 bot */
export const LOCK_SCHEDULE = statement(
  'scheduled_messages.lock_schedule',
  `SELECT pg_advisory_xact_lock(hashtextextended('scheduled_messages:' || $1::uuid::text, 0)) IS NULL AS locked`,
  { locked: 'bool' },
);

/**
 * Returns no row if the bot already has `maxPending`. The caller holds {@link LOCK_SCHEDULE}.
 */
export const INSERT_SCHEDULED = statement(
  'scheduled_messages.insert',
  {
    params: { ...MESSAGE, ...FOREIGN, maxPending: 'int8' },
    columns: LISTED,
  },
  `
  INSERT INTO scheduled_messages (
    space_id,
    id,
    bot_id,
    conversation_id,
    parent_message_id,
    content,
    metadata_json,
    display_name,
    display_avatar_url,
    post_at,
    source_json,
    text_derived,
    next_try_at
  )
  SELECT
    :spaceId,
    :id,
    :botId,
    :conversationId,
    :parentMessageId,
    :content,
    :metadataJson,
    :displayName,
    :displayAvatarUrl,
    :postAt,
    :sourceJson::text,
    :textDerived::boolean,
    :postAt
  WHERE (
    SELECT count(*)
    FROM scheduled_messages
    WHERE space_id = :spaceId AND bot_id = :botId AND error_code IS NULL
  ) < :maxPending
  RETURNING ${COLUMNS}, error_code AS "errorCode", created_at AS "createdAt"
  `,
);

/** Lists a bot's scheduled messages in the order in which they were created. */
export const LIST_SCHEDULED = statement(
  'scheduled_messages.list',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      /** Null: of all conversations. */
      conversationId: nullable('uuid'),
      afterId: 'uuid',
      limit: 'int8',
    },
    columns: LISTED,
  },
  `
  SELECT ${COLUMNS}, error_code AS "errorCode", created_at AS "createdAt"
  FROM scheduled_messages
  WHERE space_id = :spaceId AND bot_id = :botId AND id > :afterId
    AND (:conversationId::uuid IS NULL OR conversation_id = :conversationId)
  ORDER BY id
  LIMIT :limit
  `,
);

/** Waits while a worker posts the message, and then returns no row. $1 space, $2 id, $3 bot */
export const CANCEL_SCHEDULED = statement(
  'scheduled_messages.cancel',
  'DELETE FROM scheduled_messages WHERE space_id = $1 AND id = $2 AND bot_id = $3 RETURNING id',
  { id: 'uuid' },
);

/** Locks the longest-due row that no other worker has locked. */
export const CLAIM_SCHEDULED = statement(
  'scheduled_messages.claim',
  `SELECT ${COLUMNS}, source_json AS "sourceJson", text_derived AS "textDerived", attempts, error_code AS "errorCode",
          (SELECT s.is_active FROM spaces s WHERE s.id = m.space_id) AS "spaceIsActive"
     FROM scheduled_messages m WHERE next_try_at <= statement_timestamp()
    ORDER BY next_try_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
  { ...MESSAGE, ...FOREIGN, attempts: 'int4', errorCode: nullable('text'), spaceIsActive: 'bool' },
);

/** Whether a row is due within a second. */
export const SCHEDULED_ARE_DUE = statement(
  'scheduled_messages.check_due',
  `SELECT EXISTS (SELECT 1 FROM scheduled_messages WHERE next_try_at <= statement_timestamp() + interval '1 second') AS due`,
  { due: 'bool' },
);

/** The next time at which a row is due. */
export const FIND_NEXT_SCHEDULED = statement(
  'scheduled_messages.find_next',
  'SELECT min(next_try_at) AS at FROM scheduled_messages WHERE next_try_at > statement_timestamp()',
  { at: nullable('timestamptz') },
);

/** $1 space, $2 id */
export const DELETE_SCHEDULED = statement(
  'scheduled_messages.delete',
  'DELETE FROM scheduled_messages WHERE space_id = $1 AND id = $2',
  {},
);

/** $1 space, $2 id, $3 seconds */
export const POSTPONE_SCHEDULED = statement(
  'scheduled_messages.postpone',
  `UPDATE scheduled_messages SET attempts = attempts + 1, next_try_at = clock_timestamp() + $3::float8 * interval '1 second'
    WHERE space_id = $1 AND id = $2`,
  {},
);

/**
 * Records why a message is not posted. It stays in the list for seven days, then it is due to be
 * deleted. $1 space, $2 id, $3 code
 */
export const FAIL_SCHEDULED = statement(
  'scheduled_messages.fail',
  `UPDATE scheduled_messages SET error_code = $3, next_try_at = clock_timestamp() + interval '7 days'
    WHERE space_id = $1 AND id = $2`,
  {},
);
