import type { Db, Tx } from '@tieline/platform/database';
import { carryOutDueRows } from '@tieline/queue';
import type { PostReminder } from './post-reminder.js';
import { claimDueReminder, deleteReminder, postponeReminder } from './reminders.queries.js';
import type { DueReminder } from './reminders.queries.js';

/**
 * Retry interval for inactive spaces. If the space becomes active again, its reminders are posted
 * late.
 */
const INACTIVE_SPACE_S = 60;
const FIRST_BACKOFF_S = 5;
const MAX_BACKOFF_S = 3600;

/**
 * Posts every due reminder. A reminder that fails is retried later and does not delay others.
 * @returns the errors of failed reminders
 */
export async function fireReminders(
  db: Db,
  postReminder: PostReminder,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const carryOut = (tx: Tx, reminder: DueReminder): Promise<void> => settle(tx, postReminder, reminder);
  return carryOutDueRows(db, { claim: claimDueReminder, carryOut, postpone: backOff }, signal);
}

async function settle(tx: Tx, postReminder: PostReminder, reminder: DueReminder): Promise<void> {
  if (!reminder.spaceIsActive) return postponeReminder(tx, reminder, INACTIVE_SPACE_S);
  await postReminder.in(tx, reminder);
  await deleteReminder(tx, reminder);
}

async function backOff(db: Db, reminder: DueReminder): Promise<void> {
  await postponeReminder(db, reminder, Math.min(FIRST_BACKOFF_S * 2 ** reminder.attempts, MAX_BACKOFF_S));
}
