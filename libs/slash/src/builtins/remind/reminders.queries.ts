import { statement } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';

/** A reminder that is still to come. */
export interface Reminder {
  spaceId: string;
  id: string;
  /** Who set it. */
  userId: string;
  /** Whom it reaches as a direct message; null: the conversation. */
  recipientId: string | null;
  /** Where it was set, as the person named it. */
  conversationId: string;
  /** Root message, when it was set in a thread. */
  threadId: string | null;
  text: string;
  dueAt: Date;
  /** IANA name. */
  timeZone: string;
}

const COLUMNS = `space_id AS "spaceId", id, user_id AS "userId", recipient_id AS "recipientId", conversation_id AS "conversationId", thread_id AS "threadId",
  text, due_at AS "dueAt", time_zone AS "timeZone"`;
const IN_ORDER = 'FROM reminders WHERE space_id = $1 AND user_id = $2 ORDER BY due_at, id';
// The place is looked up first: FOR UPDATE would lock those before it too.
const AT_PLACE = `SELECT ${COLUMNS} FROM reminders WHERE space_id = $1 AND id = (SELECT id ${IN_ORDER} LIMIT 1 OFFSET $3) FOR UPDATE`;

/** A person's own reminders that are still to come, the next one first. */
export async function remindersOf(q: Queryable, spaceId: string, userId: string): Promise<Reminder[]> {
  return q.query<Reminder>(`SELECT ${COLUMNS} ${IN_ORDER}`, [spaceId, userId]);
}

/** Locks the reminder at that place (from 1) of a person's list; undefined when there is none, or it was posted or taken back just now. */
export async function lockReminderAt(
  tx: Tx,
  spaceId: string,
  userId: string,
  place: number,
): Promise<Reminder | undefined> {
  const [row] = await tx.query<Reminder>(AT_PLACE, [spaceId, userId, place - 1]);
  return row;
}

/** A reminder whose time has come, and whether its space is active. */
export type DueReminder = Reminder & { spaceIsActive: boolean; attempts: number };

const CLAIM = statement(
  'slash.claim_reminder',
  `SELECT ${COLUMNS}, attempts, (SELECT s.is_active FROM spaces s WHERE s.id = r.space_id) AS "spaceIsActive"
     FROM reminders r WHERE next_try_at <= clock_timestamp() ORDER BY next_try_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
);

/** Locks the reminder that is due longest and that no other worker has in hand. */
export async function claimDueReminder(tx: Tx): Promise<DueReminder | undefined> {
  const [row] = await tx.query<DueReminder>(CLAIM);
  return row;
}

/** The next moment at which a reminder is to be posted, among those to come. */
export async function nextReminderAt(q: Queryable): Promise<Date | undefined> {
  const [row] = await q.query<{ at: Date | null }>(
    'SELECT min(next_try_at) AS at FROM reminders WHERE next_try_at > clock_timestamp()',
  );
  return row?.at ?? undefined;
}

/** Removes a reminder; the caller holds its lock. */
export async function deleteReminder(
  tx: Tx,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
): Promise<void> {
  await tx.query('DELETE FROM reminders WHERE space_id = $1 AND id = $2', [spaceId, id]);
}

/** Puts off the next try by so many seconds. */
export async function postponeReminder(
  q: Queryable,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
  seconds: number,
): Promise<void> {
  await q.query(
    `UPDATE reminders SET attempts = attempts + 1, next_try_at = clock_timestamp() + $3::float8 * interval '1 second' WHERE space_id = $1 AND id = $2`,
    [spaceId, id, seconds],
  );
}
