import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import {
  CLAIM_REMINDER,
  DELETE_REMINDER,
  LIST_REMINDERS,
  LOCK_REMINDER_AT,
  FIND_NEXT_REMINDER,
  POSTPONE_REMINDER,
} from './reminders.statements.js';

/**
 * A pending reminder. Without a recipient it goes to the conversation from the request and, if set,
 * the thread of the root message. `timeZone` is an IANA name.
 */
export type Reminder = RowOf<typeof LIST_REMINDERS>;

/** A due reminder, with the state of its space. */
export type DueReminder = RowOf<typeof CLAIM_REMINDER>;

/** Returns a person's pending reminders, next one first. */
export async function remindersOf(q: Queryable, spaceId: string, userId: string): Promise<Reminder[]> {
  return q.query(LIST_REMINDERS, [spaceId, userId]);
}

/**
 * Locks the reminder with this number (from 1) in a person's list; undefined if there is none, or
 * if it was posted or cancelled concurrently.
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

/** Locks the longest-due reminder that no other worker is posting. */
export async function claimDueReminder(tx: Tx): Promise<DueReminder | undefined> {
  const [row] = await tx.query(CLAIM_REMINDER);
  return row;
}

/** Returns the next time at which a reminder is due. */
export async function nextReminderAt(q: Queryable): Promise<Date | undefined> {
  const [row] = await q.query(FIND_NEXT_REMINDER);
  return row?.at ?? undefined;
}

/** Deletes a reminder. The caller holds its lock. */
export async function deleteReminder(
  tx: Tx,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
): Promise<void> {
  await tx.query(DELETE_REMINDER, [spaceId, id]);
}

/** Delays the next attempt by this many seconds. */
export async function postponeReminder(
  q: Queryable,
  { spaceId, id }: Pick<Reminder, 'spaceId' | 'id'>,
  seconds: number,
): Promise<void> {
  await q.query(POSTPONE_REMINDER, [spaceId, id, seconds]);
}
