import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** `ttlSeconds`: time to answer. */
export const INSERT_INTERACTION = statement(
  'interactions.insert',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      userId: 'uuid',
      conversationId: 'uuid',
      threadId: nullable('uuid'),
      messageId: nullable('uuid'),
      actionId: 'text',
      clickId: nullable('uuid'),
      chainDepth: 'int4',
      ttlSeconds: 'float8',
      triggerId: nullable('uuid'),
      commandId: nullable('uuid'),
      modalId: nullable('uuid'),
    },
    columns: {},
  },
  `
  INSERT INTO interactions (
    space_id,
    id,
    bot_id,
    user_id,
    conversation_id,
    thread_id,
    message_id,
    action_id,
    click_id,
    chain_depth,
    expires_at,
    trigger_id,
    command_id,
    modal_id
  )
  VALUES (
    :spaceId,
    :id,
    :botId,
    :userId,
    :conversationId,
    :threadId,
    :messageId,
    :actionId,
    :clickId,
    :chainDepth,
    clock_timestamp() + :ttlSeconds::float8 * interval '1 second',
    :triggerId,
    :commandId,
    :modalId
  )
  `,
);

/** $1 space, $2 id */
export const LOCK_INTERACTION = statement(
  'interactions.lock',
  `SELECT space_id AS "spaceId", bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId",
          message_id AS "messageId", action_id AS "actionId", trigger_id AS "triggerId", command_id AS "commandId", click_id AS "clickId", modal_id AS "modalId", chain_depth AS "chainDepth",
          ${rfc3339('answered_at')} AS "answeredAt", is_acknowledged AS "isAcknowledged", expires_at <= clock_timestamp() AS "isExpired"
     FROM interactions WHERE space_id = $1 AND id = $2 FOR UPDATE`,
  {
    spaceId: 'uuid',
    botId: 'uuid',
    userId: 'uuid',
    conversationId: 'uuid',
    threadId: nullable('uuid'),
    messageId: nullable('uuid'),
    actionId: 'text',
    triggerId: nullable('uuid'),
    commandId: nullable('uuid'),
    clickId: nullable('uuid'),
    modalId: nullable('uuid'),
    chainDepth: 'int4',
    answeredAt: nullable('text'),
    isAcknowledged: 'bool',
    isExpired: 'bool',
  },
);

/** $1 space, $2 id, $3 whether the answer came with a socket's acknowledgement */
export const MARK_ANSWERED = statement(
  'interactions.mark_answered',
  `UPDATE interactions SET answered_at = clock_timestamp(), is_acknowledged = $3 WHERE space_id = $1 AND id = $2 RETURNING ${rfc3339('answered_at')} AS "answeredAt"`,
  { answeredAt: 'text' },
);
