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

/**
 * Returns no row if the person already has the maximum. $1 space, $2 id, $3 person, $4 recipient,
 * $5 conversation, $6 thread, $7 text, $8 due, $9 time zone, $10 maximum per person
 */
export const INSERT_REMINDER = statement(
  'slash.insert_reminder',
  `INSERT INTO reminders (space_id, id, user_id, recipient_id, conversation_id, thread_id, text, due_at, time_zone, next_try_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $8 WHERE (SELECT count(*) FROM reminders WHERE space_id = $1 AND user_id = $3) < $10 RETURNING 1 AS n`,
  { n: 'int4' },
);

/** $1 space, $2 person */
export const LIST_REMINDERS = statement('slash.list_reminders', `SELECT ${COLUMNS} ${IN_ORDER}`, REMINDER);

/**
 * Looks up the id first: FOR UPDATE on the list would also lock earlier rows. $1 space, $2 person,
 * $3 position from 0
 */
export const LOCK_REMINDER_AT = statement(
  'slash.lock_reminder_at',
  `SELECT ${COLUMNS} FROM reminders WHERE space_id = $1 AND id = (SELECT id ${IN_ORDER} LIMIT 1 OFFSET $3) FOR UPDATE`,
  REMINDER,
);

/** Returns the longest-due reminder that no other worker is posting. */
export const CLAIM_REMINDER = statement(
  'slash.claim_reminder',
  `SELECT ${COLUMNS}, attempts, (SELECT s.is_active FROM spaces s WHERE s.id = r.space_id) AS "spaceIsActive"
     FROM reminders r WHERE next_try_at <= statement_timestamp() ORDER BY next_try_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
  { ...REMINDER, attempts: 'int4', spaceIsActive: 'bool' },
);

/** The next time at which a reminder is due. */
export const NEXT_REMINDER = statement(
  'slash.next_reminder',
  'SELECT min(next_try_at) AS at FROM reminders WHERE next_try_at > statement_timestamp()',
  { at: nullable('timestamptz') },
);

/** $1 space, $2 id */
export const DELETE_REMINDER = statement(
  'slash.delete_reminder',
  'DELETE FROM reminders WHERE space_id = $1 AND id = $2',
  {},
);

/** $1 space, $2 id, $3 seconds */
export const POSTPONE_REMINDER = statement(
  'slash.postpone_reminder',
  `UPDATE reminders SET attempts = attempts + 1, next_try_at = clock_timestamp() + $3::float8 * interval '1 second' WHERE space_id = $1 AND id = $2`,
  {},
);
