import { nullable, rfc3339, statement } from '@tieline/platform/database';

/**
 * $1 space, $2 id, $3 bot, $4 person, $5 conversation, $6 thread, $7 message, $8 action, $9 click,
 * $10 chain depth, $11 seconds to answer, $12 trigger, $13 command, $14 submitted modal
 */
export const INSERT_INTERACTION = statement(
  'interactive.insert_interaction',
  `INSERT INTO interactions (space_id, id, bot_id, user_id, conversation_id, thread_id, message_id, action_id, click_id, chain_depth, expires_at, trigger_id, command_id, modal_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + $11::float8 * interval '1 second', $12, $13, $14)`,
  {},
);

/** $1 space, $2 id */
export const LOCK_INTERACTION = statement(
  'interactive.lock_interaction',
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
  'interactive.mark_answered',
  `UPDATE interactions SET answered_at = clock_timestamp(), is_acknowledged = $3 WHERE space_id = $1 AND id = $2 RETURNING ${rfc3339('answered_at')} AS "answeredAt"`,
  { answeredAt: 'text' },
);
