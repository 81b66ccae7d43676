import type { CreateMessage } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { postReminder } from './post-reminder.js';
import { claimDueReminder, deleteReminder, postponeReminder } from './reminders.queries.js';
import type { DueReminder } from './reminders.queries.js';

/** A space that is switched off may be switched on again; then its reminders come late. */
const INACTIVE_SPACE_S = 60;
const FIRST_BACKOFF_S = 5;
const MAX_BACKOFF_S = 3600;

/**
 * Posts every reminder whose time has come, one transaction each: the row is locked, what it says is posted and the row
 * deleted, all or nothing. So it is posted once, whatever crashes and however many workers run at once. One that cannot
 * be posted is tried again later and holds up no other.
 * @returns the errors of those
 */
export async function fireReminders(
  db: Db,
  createMessage: CreateMessage,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  while (!signal?.aborted) {
    const fired = await fireNext(db, createMessage);
    if (fired === 'none') break;
    if (fired !== 'done') errors.push(fired.error);
  }
  return errors;
}

async function fireNext(db: Db, createMessage: CreateMessage): Promise<'none' | 'done' | { error: unknown }> {
  let inHand: DueReminder | undefined;
  try {
    return await runInTx(db, async (tx) => {
      inHand = await claimDueReminder(tx);
      if (!inHand) return 'none';
      await settle(tx, createMessage, inHand);
      return 'done';
    });
  } catch (error) {
    // Without a claimed reminder the database itself is in trouble: the next run tries again.
    if (!inHand) throw error;
    await postponeReminder(db, inHand, Math.min(FIRST_BACKOFF_S * 2 ** inHand.attempts, MAX_BACKOFF_S));
    return { error };
  }
}

async function settle(tx: Tx, createMessage: CreateMessage, reminder: DueReminder): Promise<void> {
  if (!reminder.spaceIsActive) return postponeReminder(tx, reminder, INACTIVE_SPACE_S);
  await postReminder(tx, createMessage, reminder);
  await deleteReminder(tx, reminder);
}
