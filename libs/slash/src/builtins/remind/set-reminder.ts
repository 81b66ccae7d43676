import type { Queryable } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { Reminder } from './reminders.queries.js';

/** A person's reminders that are still to come, at most; two at once may go one over. */
export const MAX_PENDING = 100;

/**
 * Keeps a reminder until its time.
 * @returns false when the person has as many as there may be; then nothing was written
 */
export async function setReminder(q: Queryable, reminder: Omit<Reminder, 'id'>): Promise<boolean> {
  const { spaceId, userId, recipientId, conversationId, threadId, text, dueAt, timeZone } = reminder;
  const rows = await q.query(
    `INSERT INTO reminders (space_id, id, user_id, recipient_id, conversation_id, thread_id, text, due_at, time_zone, next_try_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $8 WHERE (SELECT count(*) FROM reminders WHERE space_id = $1 AND user_id = $3) < $10 RETURNING 1 AS n`,
    [spaceId, uuidv7(), userId, recipientId, conversationId, threadId, text, dueAt, timeZone, MAX_PENDING],
  );
  return rows.length > 0;
}
