import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import {
  CLAIM_REMINDER,
  DELETE_REMINDER,
  LIST_REMINDERS,
  LOCK_REMINDER_AT,
  NEXT_REMINDER,
  POSTPONE_REMINDER,
} from './reminders.statements.js';

/**
 * A reminder that is still to come. Without recipient it goes to the conversation, as the person
 * named it, and the thread's root message; `timeZone` is an IANA name.
 */
export type Reminder = RowOf<typeof LIST_REMINDERS>;

/** A reminder whose time has come, and whether its space is active. */
export type DueReminder = RowOf<typeof CLAIM_REMINDER>;

/** A person's own reminders that are still to come, the next one first. */
export async function remindersOf(q: Queryable, spaceId: string, userId: string): Promise<Reminder[]> {
  return q.query(LIST_REMINDERS, [spaceId, userId]);
}

/**
 * Locks the reminder at that place (from 1) of a person's list; undefined when there is none, or it
 * was posted or taken back just now.
 */
export async function lockReminderAt(
  tx: Tx,
  spaceId: string,
  userId: string,
  place: number,
): Promise<Reminder | undefined> {
  const [row] = await tx.query(LOCK_REMINDER_AT, [spaceId, userId, place - 1]);
  return row;
}

/** Locks the reminder that has been due longest and that no other worker is posting. */
export async function claimDueReminder(tx: Tx): Promise<DueReminder | undefined> {
  const [row] = await tx.query(CLAIM_REMINDER);
  return row;
}

/** The next moment at which a reminder is to be posted, among those to come. */
export async function nextReminderAt(q: Queryable): Promise<Date | undefined> {
  const [row] = await q.query(NEXT_REMINDER);
  return row?.at ?? undefined;
}

/** Removes a reminder; the caller holds its lock. */
export async function deleteReminder(
  tx: Tx,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
): Promise<void> {
  await tx.query(DELETE_REMINDER, [spaceId, id]);
}

/** Puts off the next try by this many seconds. */
export async function postponeReminder(
  q: Queryable,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
  seconds: number,
): Promise<void> {
  await q.query(POSTPONE_REMINDER, [spaceId, id, seconds]);
}
