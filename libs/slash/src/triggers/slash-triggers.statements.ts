import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** `ttlSeconds`: time to answer. */
export const ISSUE_TRIGGER = statement(
  'slash_triggers.issue',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      conversationId: 'uuid',
      threadId: nullable('uuid'),
      userId: 'uuid',
      commandId: 'uuid',
      ttlSeconds: 'float8',
    },
    columns: { invokedAt: 'text' },
  },
  `
  INSERT INTO slash_triggers (
    space_id,
    id,
    bot_id,
    conversation_id,
    thread_id,
    user_id,
    command_id,
    expires_at
  )
  VALUES (
    :spaceId,
    :id,
    :botId,
    :conversationId,
    :threadId,
    :userId,
    :commandId,
    clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
  )
  RETURNING ${rfc3339('created_at')} AS "invokedAt"
  `,
);

/** Returns the trigger of a command that still exists. $1 space, $2 id */
export const FIND_TRIGGER = statement(
  'slash_triggers.find',
  `SELECT t.bot_id AS "botId", t.user_id AS "userId", t.conversation_id AS "conversationId", t.thread_id AS "threadId",
          c.id AS "commandId", c.name AS "actionId", (extract(epoch FROM t.expires_at) * 1000)::float8 AS "expiresAt"
     FROM slash_triggers t JOIN slash_commands c ON c.space_id = t.space_id AND c.id = t.command_id
    WHERE t.space_id = $1 AND t.id = $2 AND t.user_id IS NOT NULL`,
  {
    botId: 'uuid',
    userId: 'uuid',
    conversationId: 'uuid',
    threadId: nullable('uuid'),
    commandId: 'uuid',
    actionId: 'text',
    expiresAt: 'float8',
  },
);

/** $1 space, $2 id */
export const LOCK_TRIGGER = statement(
  'slash_triggers.lock',
  `SELECT t.bot_id AS "botId", b.is_active AND b.deleted_at IS NULL AS "botIsActive", t.conversation_id AS "conversationId", t.thread_id AS "threadId",
          t.used_at IS NOT NULL AS "isUsed", t.expires_at <= clock_timestamp() AS "isExpired"
     FROM slash_triggers t JOIN bots b ON b.space_id = t.space_id AND b.id = t.bot_id
    WHERE t.space_id = $1 AND t.id = $2 FOR UPDATE OF t`,
  {
    botId: 'uuid',
    botIsActive: 'bool',
    conversationId: 'uuid',
    threadId: nullable('uuid'),
    isUsed: 'bool',
    isExpired: 'bool',
  },
);

/** $1 space, $2 id */
export const MARK_TRIGGER_USED = statement(
  'slash_triggers.mark_used',
  'UPDATE slash_triggers SET used_at = clock_timestamp() WHERE space_id = $1 AND id = $2',
  {},
);

/**
 * Triggers are kept for a day after they expire, so that a late answer gets 410 instead of 404. $1
 * maximum number of rows
 */
export const DROP_TRIGGERS = statement(
  'slash_triggers.drop',
  `DELETE FROM slash_triggers WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM slash_triggers WHERE expires_at < statement_timestamp() - interval '24 hours' LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1 AS n`,
  { n: 'int4' },
);
