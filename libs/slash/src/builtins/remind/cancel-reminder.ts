import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { deleteReminder, lockReminderAt } from './reminders.queries.js';
import type { Reminder } from './reminders.queries.js';

/**
 * Cancels a reminder by its number (from 1) in the person's list. A reminder that is being posted
 * is not cancelled.
 * @returns the cancelled reminder, or undefined if there is none with this number
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
