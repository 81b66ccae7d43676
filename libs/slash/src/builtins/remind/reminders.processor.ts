import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS, Queue } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { fireReminders } from './fire-reminders.js';
import { PostReminder } from './post-reminder.js';
import { nextReminderAt } from './reminders.queries.js';
import { REMINDERS_ARE_DUE } from './reminders.statements.js';

export const REMINDERS = 'reminders';
/** A check finds reminders this long before they are due. */
const AHEAD_MS = 1000;

/** Posts due reminders. */
@Processor(REMINDERS, DUTY_OPTIONS)
export class RemindersProcessor extends Duty {
  override readonly due = () => ({ statement: REMINDERS_ARE_DUE });

  constructor(
    private readonly db: Db,
    private readonly queue: Queue,
    private readonly postReminder: PostReminder,
  ) {
    super();
  }

  /** The timer avoids waiting for the next check. Correctness does not depend on it. */
  protected override async run({ signal }: DutyRun): Promise<void> {
    const errors = await fireReminders(this.db, this.postReminder, signal);
    const next = await nextReminderAt(this.db);
    if (next && next.getTime() - Date.now() < AHEAD_MS) await this.queue.wakeAt(REMINDERS, next);
    if (errors.length > 0)
      throw new Error(`${errors.length} reminders could not be posted`, { cause: errors[0] });
  }
}
