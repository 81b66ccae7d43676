import { Processor } from '@nestjs/bullmq';
import { CreateMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS, Queue } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { fireReminders } from './fire-reminders.js';
import { nextReminderAt } from './reminders.queries.js';

export const REMINDERS = 'reminders';
/** Each tick finds new reminders and reminders whose timer was lost. */
const TICK_MS = 1000;

/** Posts due reminders. */
@Processor(REMINDERS, DUTY_OPTIONS)
export class RemindersProcessor extends Duty {
  override readonly everyMs = TICK_MS;

  constructor(
    private readonly db: Db,
    private readonly queue: Queue,
    private readonly createMessage: CreateMessage,
  ) {
    super();
  }

  /** The timer avoids waiting for the next tick. Correctness does not depend on it. */
  protected override async run({ signal }: DutyRun): Promise<void> {
    const errors = await fireReminders(this.db, this.createMessage, signal);
    const next = await nextReminderAt(this.db);
    if (next && next.getTime() - Date.now() < TICK_MS) await this.queue.wakeAt(REMINDERS, next);
    if (errors.length > 0)
      throw new Error(`${errors.length} reminders could not be posted`, { cause: errors[0] });
  }
}
