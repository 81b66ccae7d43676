import { Processor } from '@nestjs/bullmq';
import { Duty, DUTY_OPTIONS, Queue } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { PostScheduled } from './post-scheduled.js';
import { SCHEDULED_ARE_DUE } from './scheduled-messages.statements.js';

export const SCHEDULED_MESSAGES = 'scheduled-messages';
/** A check finds messages this long before they are due. */
const AHEAD_MS = 1000;

/** Posts due messages of bots. */
@Processor(SCHEDULED_MESSAGES, DUTY_OPTIONS)
export class ScheduledMessagesProcessor extends Duty {
  override readonly due = () => ({ statement: SCHEDULED_ARE_DUE });

  constructor(
    private readonly queue: Queue,
    private readonly postScheduled: PostScheduled,
  ) {
    super();
  }

  /** The timer avoids waiting for the next check. Correctness does not depend on it. */
  protected override async run({ signal }: DutyRun): Promise<void> {
    const errors = await this.postScheduled.run(signal);
    const next = await this.postScheduled.nextAt();
    if (next && next.getTime() - Date.now() < AHEAD_MS) await this.queue.wakeAt(SCHEDULED_MESSAGES, next);
    if (errors.length > 0)
      throw new Error(`${errors.length} scheduled messages could not be posted`, { cause: errors[0] });
  }
}
