import { nullable, rfc3339, statement } from '@tieline/platform/database';

/**
 * $1 space, $2 id, $3 hash of the token, $4 bot, $5 person, $6 conversation, $7 thread, $8 message, $9 action, $10 click,
 * $11 definition, $12 chain depth, $13 seconds to submit, $14 trigger, $15 command
 */
export const INSERT_MODAL = statement(
  'interactive.insert_modal',
  `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, thread_id, message_id, action_id, click_id, modal, chain_depth, expires_at, trigger_id, command_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp() + $13::float8 * interval '1 second', $14, $15)`,
  {},
);

/** $1 space, $2 fingerprint of the click */
export const FIND_MODAL_OF_CLICK = statement(
  'interactive.find_modal_of_click',
  `SELECT m.id, m.token_hash AS hash, m.modal FROM component_clicks c JOIN modals m ON m.space_id = c.space_id AND m.click_id = c.click_id
    WHERE c.space_id = $1 AND c.fingerprint = $2 AND m.used_at IS NULL AND m.expires_at > statement_timestamp()`,
  { id: 'uuid', hash: 'bytea', modal: 'text' },
);

const FREE = `used_at IS NULL AND expires_at > statement_timestamp() AND coalesce(claimed_until <= statement_timestamp(), true)`;

/** `isGone`: used, expired, or being submitted at this moment. $1 space, $2 hash of the token */
export const FIND_MODAL = statement(
  'interactive.find_modal',
  `SELECT space_id AS "spaceId", id, bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId",
          message_id AS "messageId", action_id AS "actionId", trigger_id AS "triggerId", command_id AS "commandId", chain_depth AS "chainDepth", NOT (${FREE}) AS "isGone"
     FROM modals WHERE space_id = $1 AND token_hash = $2`,
  {
    spaceId: 'uuid',
    id: 'uuid',
    botId: 'uuid',
    userId: 'uuid',
    conversationId: 'uuid',
    threadId: nullable('uuid'),
    messageId: nullable('uuid'),
    actionId: 'text',
    triggerId: nullable('uuid'),
    commandId: nullable('uuid'),
    chainDepth: 'int4',
    isGone: 'bool',
  },
);

/** Of several at once one gets a row. $1 space, $2 id, $3 claim, $4 milliseconds */
export const CLAIM_MODAL = statement(
  'interactive.claim_modal',
  `UPDATE modals SET claim_id = $3, claimed_until = clock_timestamp() + $4::float8 * interval '1 millisecond' WHERE space_id = $1 AND id = $2 AND ${FREE}
   RETURNING ${rfc3339('clock_timestamp()')} AS "occurredAt"`,
  { occurredAt: 'text' },
);

/** $1 space, $2 id, $3 claim */
export const USE_MODAL = statement(
  'interactive.use_modal',
  'UPDATE modals SET used_at = clock_timestamp() WHERE space_id = $1 AND id = $2 AND claim_id = $3 AND used_at IS NULL RETURNING 1 AS n',
  { n: 'int4' },
);

/** Waits for a transaction that is using it. $1 space, $2 id, $3 claim */
export const LOCK_MODAL = statement(
  'interactive.lock_modal',
  'SELECT used_at IS NOT NULL AS "isUsed" FROM modals WHERE space_id = $1 AND id = $2 AND claim_id = $3 FOR UPDATE',
  { isUsed: 'bool' },
);

/** $1 space, $2 id, $3 claim */
export const RELEASE_MODAL = statement(
  'interactive.release_modal',
  'UPDATE modals SET claim_id = NULL, claimed_until = NULL WHERE space_id = $1 AND id = $2 AND claim_id = $3',
  {},
);
