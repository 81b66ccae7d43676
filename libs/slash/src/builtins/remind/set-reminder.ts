import type { Queryable } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { Reminder } from './reminders.queries.js';
import { INSERT_REMINDER } from './reminders.statements.js';

/** A person's reminders that are still to come, at most; two at once may go one over. */
export const MAX_PENDING = 100;

/**
 * Stores a reminder.
 * @returns false when the person has as many as there may be; then nothing was written
 */
export async function setReminder(q: Queryable, reminder: Omit<Reminder, 'id'>): Promise<boolean> {
  const { spaceId, userId, recipientId, conversationId, threadId, text, dueAt, timeZone } = reminder;
  const rows = await q.query(INSERT_REMINDER, [
    spaceId,
    uuidv7(),
    userId,
    recipientId,
    conversationId,
    threadId,
    text,
    dueAt,
    timeZone,
    MAX_PENDING,
  ]);
  return rows.length > 0;
}
