import { nullable, rfc3339, statement } from '@tieline/platform/database';

/**
 * $1 space, $2 id, $3 hash of the token, $4 bot, $5 person, $6 conversation, $7 thread, $8 message,
 * $9 action, $10 click, $11 definition, $12 chain depth, $13 seconds to submit, $14 trigger, $15
 * command, $16 validated, $17 parent, $18 depth of the stack
 */
export const INSERT_MODAL = statement(
  'interactive.insert_modal',
  `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, thread_id, message_id, action_id, click_id, modal, chain_depth, expires_at, trigger_id, command_id, is_judged, parent_id, stack_depth)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp() + $13::float8 * interval '1 second', $14, $15, $16, $17, $18)`,
  {},
);

/** $1 space, $2 fingerprint of the click */
export const FIND_MODAL_OF_CLICK = statement(
  'interactive.find_modal_of_click',
  `SELECT m.id, m.token_hash AS hash, m.modal, m.is_judged AS "isValidated" FROM component_clicks c JOIN modals m ON m.space_id = c.space_id AND m.click_id = c.click_id
    WHERE c.space_id = $1 AND c.fingerprint = $2 AND m.used_at IS NULL AND m.expires_at > statement_timestamp()`,
  { id: 'uuid', hash: 'bytea', modal: 'text', isValidated: 'bool' },
);

const FREE = `used_at IS NULL AND expires_at > statement_timestamp() AND coalesce(claimed_until <= statement_timestamp(), true)`;
const IS_SUBMITTED = `used_at IS NULL AND coalesce(claimed_until > statement_timestamp(), false)`;
const IS_AWAITING = `used_at IS NOT NULL AND coalesce(awaiting_until > statement_timestamp(), false)`;
const IS_COVERED = `coalesce(child_until > statement_timestamp(), false)`;
const MINE = `space_id = $1 AND id = $2 AND claim_id = $3 AND used_at IS NULL`;
/** Makes the modal below usable again. Needs the closed modals in the CTE `done`. */
const UNCOVER = `uncovered AS (UPDATE modals p SET child_until = NULL FROM done WHERE p.space_id = done.space_id AND p.id = done.parent_id)`;

/**
 * `isGone`: used, expired, or being submitted. `isAwaiting`: the bot has not answered a submission
 * yet. $1 space, $2 hash of the token
 */
export const FIND_MODAL = statement(
  'interactive.find_modal',
  `SELECT space_id AS "spaceId", id, bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId",
          message_id AS "messageId", action_id AS "actionId", trigger_id AS "triggerId", command_id AS "commandId", chain_depth AS "chainDepth",
          modal, is_judged AS "isValidated", NOT (${FREE}) AS "isGone", (${IS_AWAITING}) OR (${IS_SUBMITTED}) AS "isAwaiting", ${IS_COVERED} AS "isCovered"
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
    modal: 'text',
    isValidated: 'bool',
    isGone: 'bool',
    isAwaiting: 'bool',
    isCovered: 'bool',
  },
);

/** Of concurrent claims one gets a row. $1 space, $2 id, $3 claim, $4 milliseconds */
export const CLAIM_MODAL = statement(
  'interactive.claim_modal',
  `UPDATE modals SET claim_id = $3, claimed_until = clock_timestamp() + $4::float8 * interval '1 millisecond' WHERE space_id = $1 AND id = $2 AND ${FREE} AND NOT ${IS_COVERED}
   RETURNING ${rfc3339('clock_timestamp()')} AS "occurredAt"`,
  { occurredAt: 'text' },
);

/** Marks the modal as used; the modal below becomes usable again. $1 space, $2 id, $3 claim */
export const USE_MODAL = statement(
  'interactive.use_modal',
  `WITH done AS (UPDATE modals SET used_at = clock_timestamp() WHERE ${MINE} RETURNING space_id, parent_id), ${UNCOVER} SELECT 1 AS n FROM done`,
  { n: 'int4' },
);

/**
 * Marks the modal as submitted to a polling bot, which may still reopen it. $1 space, $2 id, $3
 * claim, $4 seconds to answer
 */
export const AWAIT_ANSWER = statement(
  'interactive.await_answer',
  `UPDATE modals SET used_at = clock_timestamp(), awaiting_until = clock_timestamp() + $4::float8 * interval '1 second' WHERE ${MINE} RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Ends the submission and keeps the modal open. $1 space, $2 id, $3 claim */
export const KEEP_MODAL = statement(
  'interactive.keep_modal',
  `UPDATE modals SET claimed_until = NULL WHERE ${MINE} RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Reopens a submitted modal after a polling bot's answer. $1 space, $2 id */
export const REOPEN_MODAL = statement(
  'interactive.give_modal_back',
  'UPDATE modals SET used_at = NULL, awaiting_until = NULL, claimed_until = NULL WHERE space_id = $1 AND id = $2',
  {},
);

/** Finishes a submitted modal after a polling bot's answer. $1 space, $2 id */
export const FINISH_MODAL = statement(
  'interactive.finish_modal',
  `WITH done AS (UPDATE modals SET awaiting_until = NULL WHERE space_id = $1 AND id = $2 RETURNING space_id, parent_id), ${UNCOVER} SELECT 1 AS n FROM done`,
  { n: 'int4' },
);

/** Closes the modal for the person. $1 space, $2 id */
export const CLOSE_MODAL = statement(
  'interactive.close_modal',
  `WITH done AS (
     UPDATE modals SET used_at = clock_timestamp() WHERE space_id = $1 AND id = $2 AND ${FREE} AND NOT ${IS_COVERED} RETURNING space_id, parent_id
   ), ${UNCOVER} SELECT ${rfc3339('clock_timestamp()')} AS "occurredAt" FROM done`,
  { occurredAt: 'text' },
);

/**
 * Replaces the definition and restarts the lifetime of the modal and of those below it. $1 space,
 * $2 id, $3 definition, $4 validated, $5 seconds to submit
 */
export const REPLACE_MODAL = statement(
  'interactive.replace_modal',
  `WITH RECURSIVE stack AS (
     SELECT space_id, id, parent_id, true AS is_top FROM modals WHERE space_id = $1 AND id = $2
     UNION ALL SELECT m.space_id, m.id, m.parent_id, false FROM modals m JOIN stack s ON m.space_id = s.space_id AND m.id = s.parent_id
   )
   UPDATE modals m SET expires_at = clock_timestamp() + $5::float8 * interval '1 second',
     modal = CASE WHEN is_top THEN $3 ELSE modal END, is_judged = CASE WHEN is_top THEN $4 ELSE is_judged END,
     child_until = CASE WHEN is_top THEN child_until ELSE clock_timestamp() + $5::float8 * interval '1 second' END
     FROM stack WHERE m.space_id = stack.space_id AND m.id = stack.id AND (is_top OR m.used_at IS NULL)`,
  {},
);

/**
 * Marks the modal as covered by a new one and extends the lifetime of the whole stack. $1 space, $2
 * id, $3 seconds, $4 maximum depth
 */
export const COVER_MODAL = statement(
  'interactive.cover_modal',
  `WITH RECURSIVE stack AS (
     SELECT space_id, id, parent_id, stack_depth FROM modals WHERE space_id = $1 AND id = $2 AND stack_depth < $4
     UNION ALL SELECT m.space_id, m.id, m.parent_id, s.stack_depth FROM modals m JOIN stack s ON m.space_id = s.space_id AND m.id = s.parent_id
   )
   UPDATE modals m SET child_until = clock_timestamp() + $3::float8 * interval '1 second', expires_at = clock_timestamp() + $3::float8 * interval '1 second'
     FROM stack WHERE m.space_id = stack.space_id AND m.id = stack.id AND (m.id = $2 OR m.used_at IS NULL)
   RETURNING stack.stack_depth AS "stackDepth"`,
  { stackDepth: 'int4' },
);

/** Waits for a transaction that is using the modal. $1 space, $2 id, $3 claim */
export const LOCK_MODAL = statement(
  'interactive.lock_modal',
  'SELECT used_at IS NOT NULL OR claimed_until IS NULL AS "isSettled" FROM modals WHERE space_id = $1 AND id = $2 AND claim_id = $3 FOR UPDATE',
  { isSettled: 'bool' },
);

/** $1 space, $2 id, $3 claim */
export const RELEASE_MODAL = statement(
  'interactive.release_modal',
  'UPDATE modals SET claim_id = NULL, claimed_until = NULL WHERE space_id = $1 AND id = $2 AND claim_id = $3',
  {},
);
