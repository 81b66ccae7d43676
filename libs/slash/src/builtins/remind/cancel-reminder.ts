import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { deleteReminder, lockReminderAt } from './reminders.queries.js';
import type { Reminder } from './reminders.queries.js';

/**
 * Cancels a reminder by its place (from 1) in the person's own list. One that is just being posted
 * is posted.
 * @returns the reminder that will not come, or undefined when there is none at that place
 */
export async function cancelReminder(
  db: Db,
  spaceId: string,
  userId: string,
  place: number,
): Promise<Reminder | undefined> {
  if (place < 1) return undefined;
  return runInTx(
    db,
    async (tx) => {
      const reminder = await lockReminderAt(tx, spaceId, userId, place);
      if (reminder) await deleteReminder(tx, reminder);
      return reminder;
    },
    { spaceId, place: userId },
  );
}
