import { nullable, rfc3339, statement } from '@tieline/platform/database';

/** `ttlSeconds`: time to submit. Returns no row if the trigger `openedBy` was used before. */
export const INSERT_MODAL = statement(
  'modals.insert',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      tokenHash: 'bytea',
      botId: 'uuid',
      userId: 'uuid',
      conversationId: 'uuid',
      threadId: nullable('uuid'),
      messageId: nullable('uuid'),
      actionId: 'text',
      clickId: nullable('uuid'),
      modal: 'text',
      chainDepth: 'int4',
      ttlSeconds: 'float8',
      triggerId: nullable('uuid'),
      commandId: nullable('uuid'),
      isValidated: 'bool',
      parentId: nullable('uuid'),
      stackDepth: 'int4',
      openedBy: nullable('uuid'),
    },
    columns: { n: 'int4' },
  },
  `
  INSERT INTO modals (
    space_id,
    id,
    token_hash,
    bot_id,
    user_id,
    conversation_id,
    thread_id,
    message_id,
    action_id,
    click_id,
    modal,
    chain_depth,
    expires_at,
    trigger_id,
    command_id,
    is_judged,
    parent_id,
    stack_depth,
    opened_by
  )
  VALUES (
    :spaceId,
    :id,
    :tokenHash,
    :botId,
    :userId,
    :conversationId,
    :threadId,
    :messageId,
    :actionId,
    :clickId,
    :modal,
    :chainDepth,
    clock_timestamp() + :ttlSeconds::float8 * interval '1 second',
    :triggerId,
    :commandId,
    :isValidated,
    :parentId,
    :stackDepth,
    :openedBy
  )
  ON CONFLICT (space_id, opened_by) WHERE opened_by IS NOT NULL DO NOTHING
  RETURNING 1 AS n
  `,
);

/** $1 space, $2 fingerprint of the click */
export const FIND_MODAL_OF_CLICK = statement(
  'modals.find_of_click',
  `SELECT m.id, m.token_hash AS hash, m.modal, m.is_judged AS "isValidated" FROM component_clicks c JOIN modals m ON m.space_id = c.space_id AND m.click_id = c.click_id
    WHERE c.space_id = $1 AND c.fingerprint = $2 AND m.used_at IS NULL AND m.expires_at > statement_timestamp()`,
  { id: 'uuid', hash: 'bytea', modal: 'text', isValidated: 'bool' },
);

const FREE = `used_at IS NULL AND expires_at > statement_timestamp() AND coalesce(claimed_until <= statement_timestamp(), true)`;
const IS_SUBMITTED = `used_at IS NULL AND coalesce(claimed_until > statement_timestamp(), false)`;
const IS_AWAITING = `used_at IS NOT NULL AND coalesce(awaiting_until > statement_timestamp(), false)`;
const IS_COVERED = `coalesce(child_until > statement_timestamp(), false)`;
const CLAIM = { spaceId: 'uuid', modalId: 'uuid', claimId: 'uuid' } as const;
const OF_CLAIM = 'space_id = :spaceId AND id = :modalId AND claim_id = :claimId';
/** Makes the modal below usable again. Needs the closed modals in the CTE `done`. */
const UNCOVER = `uncovered AS (UPDATE modals p SET child_until = NULL FROM done WHERE p.space_id = done.space_id AND p.id = done.parent_id)`;

const MODAL_COLUMNS = {
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
} as const;
/**
 * `isGone`: used, expired, or being submitted. `isAwaiting`: the bot has not answered a submission
 * yet.
 */
const SELECT_MODAL = `SELECT space_id AS "spaceId", id, bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId",
          message_id AS "messageId", action_id AS "actionId", trigger_id AS "triggerId", command_id AS "commandId", chain_depth AS "chainDepth",
          modal, is_judged AS "isValidated", NOT (${FREE}) AS "isGone", (${IS_AWAITING}) OR (${IS_SUBMITTED}) AS "isAwaiting", ${IS_COVERED} AS "isCovered"
     FROM modals WHERE view_kind IS NULL`;

/** $1 space, $2 hash of the token */
export const FIND_MODAL = statement(
  'modals.find',
  `${SELECT_MODAL} AND space_id = $1 AND token_hash = $2`,
  MODAL_COLUMNS,
);

/** Locks a modal of a bot. $1 space, $2 bot, $3 id */
export const LOCK_MODAL_OF_BOT = statement(
  'modals.lock_of_bot',
  `${SELECT_MODAL} AND space_id = $1 AND bot_id = $2 AND id = $3 FOR UPDATE`,
  MODAL_COLUMNS,
);

/** Of concurrent claims one gets a row. */
export const CLAIM_MODAL = statement(
  'modals.claim',
  {
    params: { ...CLAIM, leaseMs: 'float8' },
    columns: { occurredAt: 'text' },
  },
  `
  UPDATE modals
  SET
    claim_id = :claimId,
    claimed_until = clock_timestamp() + :leaseMs::float8 * interval '1 millisecond'
  WHERE space_id = :spaceId AND id = :modalId AND ${FREE} AND NOT ${IS_COVERED}
  RETURNING ${rfc3339('clock_timestamp()')} AS "occurredAt"
  `,
);

/** Marks the modal as used; the modal below becomes usable again. */
export const USE_MODAL = statement(
  'modals.use',
  { params: CLAIM, columns: { n: 'int4' } },
  `
  WITH done AS (
    UPDATE modals
    SET used_at = clock_timestamp()
    WHERE ${OF_CLAIM} AND used_at IS NULL
    RETURNING space_id, parent_id
  ), ${UNCOVER}
  SELECT 1 AS n FROM done
  `,
);

/** Marks the modal as submitted to a polling bot, which may still reopen it. */
export const AWAIT_ANSWER = statement(
  'modals.await_answer',
  {
    params: { ...CLAIM, answerSeconds: 'float8' },
    columns: { n: 'int4' },
  },
  `
  UPDATE modals
  SET
    used_at = clock_timestamp(),
    awaiting_until = clock_timestamp() + :answerSeconds::float8 * interval '1 second'
  WHERE ${OF_CLAIM} AND used_at IS NULL
  RETURNING 1 AS n
  `,
);

/** Ends the submission and keeps the modal open. */
export const KEEP_MODAL = statement(
  'modals.end_submission',
  { params: CLAIM, columns: { n: 'int4' } },
  `UPDATE modals SET claimed_until = NULL WHERE ${OF_CLAIM} AND used_at IS NULL RETURNING 1 AS n`,
);

/** Reopens a submitted modal after a polling bot's answer. $1 space, $2 id */
export const REOPEN_MODAL = statement(
  'modals.open_again',
  'UPDATE modals SET used_at = NULL, awaiting_until = NULL, claimed_until = NULL WHERE space_id = $1 AND id = $2',
  {},
);

/** Finishes a submitted modal after a polling bot's answer. $1 space, $2 id */
export const FINISH_MODAL = statement(
  'modals.finish',
  `WITH done AS (UPDATE modals SET awaiting_until = NULL WHERE space_id = $1 AND id = $2 RETURNING space_id, parent_id), ${UNCOVER} SELECT 1 AS n FROM done`,
  { n: 'int4' },
);

/** Closes the modal for the person. $1 space, $2 id */
export const CLOSE_MODAL = statement(
  'modals.close',
  `WITH done AS (
     UPDATE modals SET used_at = clock_timestamp() WHERE space_id = $1 AND id = $2 AND ${FREE} AND NOT ${IS_COVERED} RETURNING space_id, parent_id
   ), ${UNCOVER} SELECT ${rfc3339('clock_timestamp()')} AS "occurredAt" FROM done`,
  { occurredAt: 'text' },
);

/** Waits for a transaction that is using the modal. */
export const LOCK_MODAL = statement(
  'modals.lock',
  { params: CLAIM, columns: { isSettled: 'bool' } },
  `
  SELECT used_at IS NOT NULL OR claimed_until IS NULL AS "isSettled"
  FROM modals
  WHERE ${OF_CLAIM}
  FOR UPDATE
  `,
);

export const RELEASE_MODAL = statement(
  'modals.release',
  { params: CLAIM, columns: {} },
  `UPDATE modals SET claim_id = NULL, claimed_until = NULL WHERE ${OF_CLAIM}`,
);
