import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DROP_OLD_UPDATES } from '../execution-tasks.statements.js';

export const OLD_TASK_KEYS = 'old-task-keys';
const HOUR_MS = 3_600_000;
const STEP = 5000;
/** Retention of the keys. */
const RETENTION_DAYS = 30;

/**
 * Deletes keys of updates after their retention. A later repeat is 409 and changes nothing, because
 * it names an old sequence.
 */
@Processor(OLD_TASK_KEYS, DUTY_OPTIONS)
export class OldTaskKeysProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(DROP_OLD_UPDATES, [RETENTION_DAYS, STEP])).length;
  }
}
