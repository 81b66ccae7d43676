import type { Queryable } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { Reminder } from './reminders.queries.js';
import { INSERT_REMINDER } from './reminders.statements.js';

/** Maximum number of pending reminders per person. Concurrent calls may exceed it by one. */
export const MAX_PENDING = 100;

/**
 * Stores a reminder.
 * @returns false, without writing, if the person already has the maximum
 */
export async function setReminder(q: Queryable, reminder: Omit<Reminder, 'id'>): Promise<boolean> {
  const rows = await q.query(INSERT_REMINDER, { ...reminder, id: uuidv7(), maxPending: MAX_PENDING });
  return rows.length > 0;
}
