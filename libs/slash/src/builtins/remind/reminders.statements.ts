import { nullable, statement } from '@tieline/platform/database';

const COLUMNS = `space_id AS "spaceId", id, user_id AS "userId", recipient_id AS "recipientId", conversation_id AS "conversationId", thread_id AS "threadId",
  text, due_at AS "dueAt", time_zone AS "timeZone"`;
const REMINDER = {
  spaceId: 'uuid',
  id: 'uuid',
  userId: 'uuid',
  recipientId: nullable('uuid'),
  conversationId: 'uuid',
  threadId: nullable('uuid'),
  text: 'text',
  dueAt: 'timestamptz',
  timeZone: 'text',
} as const;
const IN_ORDER = 'FROM reminders WHERE space_id = $1 AND user_id = $2 ORDER BY due_at, id';

/** Returns no row if the person already has `maxPending`. */
export const INSERT_REMINDER = statement(
  'reminders.insert',
  {
    params: { ...REMINDER, maxPending: 'int8' },
    columns: { n: 'int4' },
  },
  `
  INSERT INTO reminders (
    space_id,
    id,
    user_id,
    recipient_id,
    conversation_id,
    thread_id,
    text,
    due_at,
    time_zone,
    next_try_at
  )
  SELECT
    :spaceId,
    :id,
    :userId,
    :recipientId,
    :conversationId,
    :threadId,
    :text,
    :dueAt,
    :timeZone,
    :dueAt
  WHERE (SELECT count(*) FROM reminders WHERE space_id = :spaceId AND user_id = :userId) < :maxPending
  RETURNING 1 AS n
  `,
);

/** $1 space, $2 person */
export const LIST_REMINDERS = statement('reminders.list', `SELECT ${COLUMNS} ${IN_ORDER}`, REMINDER);

/**
 * Looks up the id first: FOR UPDATE on the list would also lock earlier rows. $1 space, $2 person,
 * $3 position from 0
 */
export const LOCK_REMINDER_AT = statement(
  'reminders.lock_at',
  `SELECT ${COLUMNS} FROM reminders WHERE space_id = $1 AND id = (SELECT id ${IN_ORDER} LIMIT 1 OFFSET $3) FOR UPDATE`,
  REMINDER,
);

/** Returns the longest-due reminder that no other worker is posting. */
export const CLAIM_REMINDER = statement(
  'reminders.claim',
  `SELECT ${COLUMNS}, attempts, (SELECT s.is_active FROM spaces s WHERE s.id = r.space_id) AS "spaceIsActive"
     FROM reminders r WHERE next_try_at <= statement_timestamp() ORDER BY next_try_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
  { ...REMINDER, attempts: 'int4', spaceIsActive: 'bool' },
);

/** Whether a reminder is due within a second. */
export const REMINDERS_ARE_DUE = statement(
  'reminders.check_due',
  `SELECT EXISTS (SELECT 1 FROM reminders WHERE next_try_at <= statement_timestamp() + interval '1 second') AS due`,
  { due: 'bool' },
);

/** The next time at which a reminder is due. */
export const FIND_NEXT_REMINDER = statement(
  'reminders.find_next',
  'SELECT min(next_try_at) AS at FROM reminders WHERE next_try_at > statement_timestamp()',
  { at: nullable('timestamptz') },
);

/** $1 space, $2 id */
export const DELETE_REMINDER = statement(
  'reminders.delete',
  'DELETE FROM reminders WHERE space_id = $1 AND id = $2',
  {},
);

/** $1 space, $2 id, $3 seconds */
export const POSTPONE_REMINDER = statement(
  'reminders.postpone',
  `UPDATE reminders SET attempts = attempts + 1, next_try_at = clock_timestamp() + $3::float8 * interval '1 second' WHERE space_id = $1 AND id = $2`,
  {},
);
